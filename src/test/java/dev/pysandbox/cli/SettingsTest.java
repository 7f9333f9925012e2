package dev.pysandbox.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pysandbox.cli.clients.JsonSettings;
import dev.pysandbox.cli.clients.McpClient;
import dev.pysandbox.cli.clients.TomlSettings;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks that only the entry of this server changes in the settings of a client. */
class SettingsTest {
    private static final Map<String, Object> ENTRY = Map.of("command", "java");
    private static final String JSON = "{\n      \"command\" : \"java\"\n    }";
    private static final String TABLE = "[servers.mine]\ncommand = \"java\"\n";

    static Stream<Arguments> json() {
        return Stream.of(
                Arguments.of("", "{\n  \"servers\": {\n    \"mine\": " + JSON + "\n  }\n}\n"),
                Arguments.of("{}", "{\n  \"servers\": {\n    \"mine\": " + JSON + "\n  }\n}"),
                Arguments.of(
                        "{ /* a */ \"b\": [1, 2,], // c\n}",
                        "{\n  \"servers\": {\n    \"mine\": " + JSON + "\n  }, /* a */ \"b\": [1, 2,], // c\n}"),
                Arguments.of("{\"servers\": {}}", "{\"servers\": {\n    \"mine\": " + JSON + "\n  }}"),
                Arguments.of("{\"servers\": {\"x\": 1}}", "{\"servers\": {\n    \"mine\": " + JSON + ",\"x\": 1}}"),
                Arguments.of(
                        "{\"servers\": {\"mine\": {\"old\": \"}\"}, \"x\": \"é\"}}",
                        "{\"servers\": {\"mine\": " + JSON + ", \"x\": \"é\"}}"));
    }

    @ParameterizedTest
    @MethodSource("json")
    void putsAnEntryIntoJson(String before, String after) {
        assertEquals(after, JsonSettings.put(before, "servers", "mine", ENTRY));
        assertEquals(after, JsonSettings.put(after, "servers", "mine", ENTRY));
    }

    @ParameterizedTest
    @ValueSource(strings = {"{", "[]", "{\"servers\": 1}", "{\"servers\": {\"mine\": 1}}", "{} {}", "{\"a\": x}"})
    void refusesJsonThatItCannotChange(String before) {
        assertThrows(IllegalArgumentException.class, () -> JsonSettings.put(before, "servers", "mine", ENTRY));
    }

    static Stream<Arguments> toml() {
        return Stream.of(
                Arguments.of("", TABLE),
                Arguments.of("a = 1 # b", "a = 1 # b\n\n" + TABLE),
                Arguments.of("[servers.other]\nx = 1\n", "[servers.other]\nx = 1\n\n" + TABLE),
                Arguments.of("[servers.\"mine\"]\nold = [\n 1,\n]\n\n# c\n[z]\n", TABLE + "\n# c\n[z]\n"),
                Arguments.of(
                        "[ servers . mine ] # c\nold = 1\n[servers.mine.env]\nA = \"1\"\n",
                        TABLE + "[servers.mine.env]\nA = \"1\"\n"));
    }

    @ParameterizedTest
    @MethodSource("toml")
    void putsATableIntoToml(String before, String after) {
        assertEquals(after, TomlSettings.put(before, "servers", "mine", ENTRY));
        assertEquals(after, TomlSettings.put(after, "servers", "mine", ENTRY));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a = ",
                "[servers]\nmine = {command = \"x\"}\n",
                "servers = {other = {x = 1}}\n",
                "a = '''\n[servers.mine]\n'''\n"
            })
    void refusesTomlThatItCannotChange(String before) {
        assertThrows(IllegalArgumentException.class, () -> TomlSettings.put(before, "servers", "mine", ENTRY));
    }

    @Test
    void eachClientHasTheFormItReads() {
        List<String> command = List.of("java", "-jar", "x");
        assertEquals(Map.of("command", "java", "args", List.of("-jar", "x")), McpClient.CURSOR.entry(command));
        assertEquals("stdio", McpClient.VSCODE.entry(command).get("type"));
        assertEquals(command, McpClient.OPENCODE.entry(command).get("command"));
        assertTrue(McpClient.CODEX.usesToml());
    }
}
