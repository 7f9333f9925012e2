package dev.pysandbox.script;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pysandbox.Fuzz;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks that any input quickly leads to a result or an {@link InvalidScriptException}. */
class HostileInputTest {
    /** Linear time takes one or two seconds, quadratic time takes hours. */
    private static final int SECONDS = 120;

    private static final int TEN_MEGABYTES = 10_000_000;

    private static final List<String> SPLINTERS = List.of(
            "\n",
            "\r",
            "\0",
            "\t",
            " ",
            "#",
            "# ",
            "# ///",
            "# /// script\n",
            "'",
            "\"",
            "'''",
            "\"\"\"",
            "[",
            "]",
            "{",
            "}",
            "(",
            ")",
            "=",
            "==",
            "===",
            "~=",
            "!=",
            ">=",
            "<",
            ",",
            ";",
            "@",
            "!",
            "*",
            ".*",
            "+",
            "-",
            "_",
            "\\",
            "/",
            ":",
            "$",
            "${X}",
            "%",
            "https://",
            "git+",
            "file:",
            " and ",
            " or ",
            " not in ",
            "os_name",
            "extra",
            "1",
            "99999999999999999999",
            "a",
            "dev",
            "rc",
            "é",
            "\u2028",
            "\u0085",
            "\ufeff",
            "😀",
            "\ud800",
            "\udc00",
            "\u000b",
            "1979-05-27T07:32:00Z",
            "0x1",
            "inf",
            "tool.uv",
            "dependencies = ",
            "requires-python");

    private interface Reading {
        void read(String text) throws InvalidScriptException;
    }

    @Test
    void mutatedRequirements() {
        List<String> seeds = new ArrayList<>();
        Table.read("canonical-requirements.txt").forEach(row -> seeds.add(row.get(0)));
        Table.read("refused-dependencies.txt").forEach(row -> seeds.add(row.get(0)));
        Table.read("requirements.txt").forEach(row -> seeds.add(row.get(0)));
        mutate(seeds, 20_000, text -> {
            String canonical = Requirement.parse(text).toString();
            assertEquals(canonical, Requirement.parse(canonical).toString());
            assertTrue(canonical.chars().allMatch(c -> c >= ' ' && c <= '~'), canonical);
        });
    }

    @Test
    void mutatedSpecifiers() {
        List<String> seeds = new ArrayList<>();
        Table.read("specifiers.txt").forEach(row -> seeds.addAll(row.subList(0, 2)));
        mutate(seeds, 8_000, text -> {
            VersionSpecifiers specifiers = VersionSpecifiers.parse(text);
            assertEquals(specifiers, VersionSpecifiers.parse(specifiers.toString()));
            specifiers.containsSomePatchOf(Version.parse("3.13"));
        });
        mutate(seeds, 20_000, text -> {
            Version version = Version.parse(text);
            assertEquals(version, Version.parse(version.toString()));
        });
    }

    @Test
    void mutatedScripts() {
        List<String> seeds = new ArrayList<>();
        Table.read("refused-scripts.txt").forEach(row -> seeds.add(row.get(0)));
        Table.read("script-warnings.txt").forEach(row -> seeds.add(row.get(0)));
        mutate(seeds, 10_000, text -> ScriptRequirements.merge(PythonScript.parse(text), List.of(), "3.13"));
    }

    private static void mutate(List<String> seeds, int times, Reading reading) {
        Random random = Fuzz.random(508);
        int read = 0;
        for (int i = 0; i < Fuzz.rounds(times); i++) {
            String text = mutated(seeds, random);
            try {
                reading.read(text);
                read++;
            } catch (InvalidScriptException e) {
                assertFalse(e.getMessage().isBlank());
                assertTrue(e.getMessage().chars().noneMatch(Character::isISOControl), e.getMessage());
            } catch (RuntimeException | StackOverflowError e) {
                throw new AssertionError("input: " + InvalidScriptException.quote(text), e);
            }
        }
        assertTrue(read > times / 50, "nearly all inputs are refused: " + read);
    }

    private static String mutated(List<String> seeds, Random random) {
        StringBuilder text = new StringBuilder(seeds.get(random.nextInt(seeds.size())));
        for (int i = random.nextInt(4); i >= 0; i--) {
            int from = random.nextInt(text.length() + 1);
            int to = Math.min(text.length(), from + random.nextInt(4));
            switch (random.nextInt(6)) {
                case 0 -> text.delete(from, to);
                case 1 -> text.insert(from, text.substring(from, to));
                case 2 -> text.insert(from, (char) random.nextInt(random.nextBoolean() ? 128 : 65536));
                case 3 -> text.insert(from, seeds.get(random.nextInt(seeds.size())));
                default -> text.replace(from, to, SPLINTERS.get(random.nextInt(SPLINTERS.size())));
            }
        }
        return text.toString();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "x",
                "\n",
                "\r",
                "\r\n",
                "#",
                "# ",
                "#\n",
                "# ///\n",
                "# /// script\n",
                "# /// script\n\n",
                "# /// script\n# ///\n\n",
                "# /// other\n# x\n# ///\n\n",
                "# x = 1\n",
                "# [",
                "# x = [\n",
                "# {x=\n",
                "# a.",
                "# '''\n",
                "#/// script x\n",
                "#   ",
                "😀",
                "# \u2028"
            })
    @Timeout(SECONDS)
    void tenMegabytes(String part) {
        String filler = part.repeat(TEN_MEGABYTES / part.length());
        for (String source : List.of(filler, "# /// script\n" + filler, "# /// script\n# " + filler + "\n# ///\n")) {
            try {
                assertEquals(source, PythonScript.parse(source).source());
            } catch (InvalidScriptException e) {
                assertTrue(e.getMessage().length() < 1000, e.getMessage());
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[",
                "]",
                "[[",
                "{a=",
                "a.",
                "'",
                "\"",
                "#",
                "x=[[[[[\n",
                "'a',",
                "[a]\n",
                "[[a]]\n",
                "[[a.b]]\n",
                "a=1\n",
                "= = =\n",
                "\\\\",
                "[\n",
                "dependencies=["
            })
    @Timeout(SECONDS)
    void theLargestBlocks(String part) {
        for (String start : List.of("", "dependencies = [", "x = ", "x = '''", "requires-python = \"")) {
            int times = part.contains("\n") ? 4_990 : 290_000 / part.length();
            String toml = (start + part.repeat(times)).replace("\n", "\n# ");
            try {
                PythonScript.parse("# /// script\n# " + toml + "\n# ///\n");
            } catch (InvalidScriptException e) {
                assertTrue(e.getMessage().length() < 1000, e.getMessage());
            }
        }
    }

    @Test
    @Timeout(SECONDS)
    void theLongestRequirementsAndVersions() {
        for (String part : SPLINTERS) {
            for (String start :
                    List.of("", "a", "a[", "a[b", "a>=1", "a (>=1", "a;", "a;os_name", "a @ https://x/", "1")) {
                String text = start + part.repeat((1000 - start.length()) / part.length());
                for (Reading reading : List.<Reading>of(Requirement::parse, VersionSpecifiers::parse, Version::parse)) {
                    try {
                        reading.read(text);
                    } catch (InvalidScriptException e) {
                        assertFalse(e.getMessage().isBlank());
                    }
                }
            }
        }
    }
}
