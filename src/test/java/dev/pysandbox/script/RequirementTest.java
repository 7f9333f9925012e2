package dev.pysandbox.script;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class RequirementTest {

    static List<List<String>> canonical() {
        return Table.read("canonical-requirements.txt");
    }

    static List<List<String>> refused() {
        return Table.read("refused-dependencies.txt");
    }

    @ParameterizedTest
    @MethodSource("canonical")
    void hasOneSpelling(List<String> row) throws InvalidScriptException {
        assertEquals(row.get(1), Requirement.parse(row.get(0)).toString());
        assertEquals(row.get(1), Requirement.parse(row.get(1)).toString());
    }

    @ParameterizedTest
    @MethodSource("refused")
    void isRefusedWithItsReason(List<String> row) {
        String message = assertThrows(InvalidScriptException.class, () -> Requirement.parse(row.get(0)))
                .getMessage();
        assertTrue(message.contains(row.get(1)), message);
        assertTrue(message.startsWith("dependency '"), message);
        assertTrue(message.chars().noneMatch(Character::isISOControl), message);
    }

    @Test
    void keepsItsParts() throws InvalidScriptException {
        Requirement requirement = Requirement.parse("Foo.Bar [B_b,a] (>= 1, <2) ; os_name == 'posix'");

        assertEquals("Foo.Bar", requirement.name());
        assertEquals("foo-bar", requirement.normalizedName());
        assertEquals(List.of("a", "b-b"), requirement.extras());
        assertEquals("<2,>=1", requirement.specifiers().toString());
        assertEquals(Optional.empty(), requirement.url());
        assertEquals(Optional.of("os_name == \"posix\""), requirement.marker());
    }

    @Test
    void keepsTheUrl() throws InvalidScriptException {
        Requirement requirement = Requirement.parse("a@HTTPS://x.org:8443/b;c?d#e ;os_name=='x'");

        assertEquals(Optional.of("HTTPS://x.org:8443/b;c?d#e"), requirement.url());
        assertTrue(requirement.specifiers().isEmpty());
    }

    /** The examples of PEP 503, and results of its regular expression. */
    @ParameterizedTest
    @CsvSource({
        "friendly-bard, friendly-bard",
        "Friendly-Bard, friendly-bard",
        "FRIENDLY-BARD, friendly-bard",
        "friendly.bard, friendly-bard",
        "friendly_bard, friendly-bard",
        "friendly--bard, friendly-bard",
        "FrIeNdLy-._.-bArD, friendly-bard",
        "I, i"
    })
    void normalisesNames(String written, String normalized) throws InvalidScriptException {
        assertEquals(normalized, Requirement.parse(written).normalizedName());
    }

    @Test
    void hasAtMostAThousandCharacters() throws InvalidScriptException {
        assertEquals(1000, Requirement.parse("a".repeat(1000)).toString().length());
        String message = assertThrows(InvalidScriptException.class, () -> Requirement.parse("a".repeat(1001)))
                .getMessage();
        assertTrue(message.endsWith("…' is longer than 1000 characters: shorten it"), message);
    }

    @Test
    void survivesTheDeepestMarker() throws InvalidScriptException {
        int depth = 485;
        String nested = "a;" + "(".repeat(depth) + "os_name=='a'" + ")".repeat(depth);
        assertEquals("a; os_name == \"a\"", Requirement.parse(nested).toString());
        assertThrows(InvalidScriptException.class, () -> Requirement.parse("a;" + "(".repeat(998)));
    }
}
