package dev.pysandbox.script;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class PythonScriptTest {
    /** The example of PEP 723. */
    private static final String EXAMPLE = """
            # /// script
            # requires-python = ">=3.11"
            # dependencies = [
            #   "requests<3",
            #   "rich",
            # ]
            # ///

            import requests
            from rich.pretty import pprint

            resp = requests.get("https://peps.python.org/api/peps.json")
            data = resp.json()
            pprint([(k, v["title"]) for k, v in data.items()][:10])
            """;

    static List<List<String>> refused() {
        return Table.read("refused-scripts.txt");
    }

    static List<List<String>> warned() {
        return Table.read("script-warnings.txt");
    }

    @Test
    void readsTheExample() throws InvalidScriptException {
        assertExample(EXAMPLE);
    }

    @Test
    void readsOtherLineEndsAndLeavesTheSourceAlone() throws InvalidScriptException {
        assertExample(EXAMPLE.replace("\n", "\r\n"));
        assertExample(EXAMPLE.replace("\n", "\r"));
        assertExample("\ufeff" + EXAMPLE);
        assertExample("\ufeff" + EXAMPLE.replace("\n", "\r\n"));
        assertExample("#!/usr/bin/env -S uv run\n" + EXAMPLE);
        assertExample("'''\n" + EXAMPLE + "'''");
    }

    private static void assertExample(String source) throws InvalidScriptException {
        PythonScript script = PythonScript.parse(source);
        InlineMetadata metadata = script.metadata().orElseThrow();
        assertEquals(Optional.of(">=3.11"), metadata.requiresPython().map(VersionSpecifiers::written));
        assertEquals(
                List.of("requests<3", "rich"),
                metadata.dependencies().stream().map(Requirement::toString).toList());
        assertEquals(List.of(), script.warnings());
        assertSame(source, script.source());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "print('hi')",
                "# /// pyproject\n# x = [\n# ///\n",
                "# /// script\n# ///\n",
                "x = '# /// script'",
                "# /// pyproject\n# a\n"
            })
    void hasNoMetadata(String source) throws InvalidScriptException {
        assertEquals(new PythonScript(source, Optional.empty(), List.of()), PythonScript.parse(source));
    }

    @Test
    void otherBlocksAreLeftAlone() throws InvalidScriptException {
        PythonScript script =
                PythonScript.parse("# /// other\n# not toml\n# ///\n\n# /// script\n# dependencies = ['a']\n# ///");
        assertEquals(1, script.metadata().orElseThrow().dependencies().size());
        assertEquals(List.of(), script.warnings());
    }

    @ParameterizedTest
    @MethodSource("refused")
    void isRefusedWithPlaceAndReason(List<String> row) {
        String message = assertThrows(InvalidScriptException.class, () -> PythonScript.parse(row.get(0)))
                .getMessage();
        assertTrue(message.startsWith(row.get(1)), message);
        assertTrue(message.chars().noneMatch(Character::isISOControl), message);
    }

    @ParameterizedTest
    @MethodSource("warned")
    void warns(List<String> row) throws InvalidScriptException {
        assertEquals(row.subList(1, row.size()), PythonScript.parse(row.get(0)).warnings());
    }

    @Test
    void refusesHalfCharacters() {
        for (String source : List.of("a\n b\ud800c", "a\n b\udc00", "a\r\n b\ud800\ud800\udc00", "a\r😀\ud800")) {
            String message = assertThrows(InvalidScriptException.class, () -> PythonScript.parse(source))
                    .getMessage();
            assertTrue(message.matches("line 2, column [23]: the script holds half a surrogate pair .*"), message);
        }
    }

    @Test
    void boundsTheBlock() {
        for (String content : List.of("#\n".repeat(5001), "# # " + "x".repeat(300_000) + "\n")) {
            String message = assertThrows(
                            InvalidScriptException.class,
                            () -> PythonScript.parse("\n# /// script\n" + content + "# ///\n"))
                    .getMessage();
            assertTrue(message.startsWith("line 2: the metadata block has "), message);
        }
    }

    @Test
    void takesTheLongestDependencies() throws InvalidScriptException {
        String longest = "# '" + "a".repeat(1000) + "',\n";
        PythonScript script =
                PythonScript.parse("# /// script\n# dependencies = [\n" + longest.repeat(200) + "# ]\n# ///");
        assertEquals(200, script.metadata().orElseThrow().dependencies().size());
    }

    @Test
    void countsDependencies() throws InvalidScriptException {
        String fit = "# /// script\n# dependencies = [\n" + "# 'a',\n".repeat(200) + "# ]\n# ///\n";
        assertEquals(
                200,
                PythonScript.parse(fit).metadata().orElseThrow().dependencies().size());
        String tooMany = fit.replaceFirst("# 'a',\n", "# 'a', 'b',\n");
        String message = assertThrows(InvalidScriptException.class, () -> PythonScript.parse(tooMany))
                .getMessage();
        assertEquals("201 dependencies are more than the 200 that are allowed: remove some", message);
    }
}
