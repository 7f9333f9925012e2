package dev.pysandbox.mcp.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pysandbox.mcp.jsonrpc.Jackson2Mapper;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class SchemaValidatorTest {
    private static final Jackson2Mapper JSON = new Jackson2Mapper();

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '^', textBlock = """
            {"type":"string"}                            | "a"   | ^^
            {"type":"string"}                            | 5     | the value must be a string, not 5
            {"type":["string","null"]}                   | null  | ^^
            {"type":["string","null"]}                   | true  | the value must be a string or null, not true
            {"type":"integer"}                           | 5     | ^^
            {"type":"integer"}                           | 5.0   | ^^
            {"type":"integer"}                           | 5.5   | the value must be a whole number, not 5.5
            {"type":"integer"}                           | 99999999999999999999 | ^^
            {"type":"number","minimum":1,"maximum":3}    | 2.5   | ^^
            {"type":"number","minimum":1}                | 0.5   | the value must be at least 1, not 0.5
            {"type":"number","maximum":3}                | 4     | the value must be at most 3, not 4
            {"type":"boolean"}                           | "x"   | the value must be true or false, not the string "x"
            {"enum":["a","b"]}                           | "c"   | the value must be one of a, b, not the string "c"
            {"type":"array","items":{"type":"string"}}   | {}    | the value must be an array of strings, not an object
            {"type":"array","items":{"type":"string"}}   | ["a",[]] | '[1]' must be a string, not an array
            {"properties":{"a":{"type":"string"}},"required":["a"]} | {} | 'a' is missing: it must be a string
            {"properties":{"a":{}},"additionalProperties":false} | {"b":1} | 'b' is not known: use a
            {"additionalProperties":false}               | {"b":1} | 'b' is not known
            {"additionalProperties":{"type":"string"}}   | {"b":1} | 'b' must be a string, not 1
            {"properties":{"a":{"properties":{"b":{"type":"null"}}}}} | {"a":{"b":1}} | 'a.b' must be null, not 1
            {"anyOf":[{"type":"string"},{"type":"object","required":["x"]}]} | "a" | ^^
            {"anyOf":[{"type":"string"},{"type":"object","required":["x"]}]} | 5   | the value must be a string or an object, not 5
            {"anyOf":[{"type":"string"},{"type":"object","required":["x"]}]} | {}  | 'x' is missing: it must be a value
            {}                                           | [1]   | ^^
            """)
    void findsWhatDoesNotFit(String schema, String value, String problem) throws Exception {
        List<String> problems = new SchemaValidator().problems(SchemaValidator.object(read(schema)), read(value));
        assertEquals(problem, String.join("; ", problems));
    }

    private static Object read(String json) throws Exception {
        return JSON.readValue(json, Object.class);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '^', textBlock = """
            {}                                            | 'script' is missing
            {"code":"print(1)"}                           | 'code' is not known: use script, dependencies, timeout_seconds, files, variables
            {"script":5}                                  | 'script' must be a string, not 5
            {"script":null}                               | 'script' is missing
            {"script":"","dependencies":"six"}            | 'dependencies' must be an array of strings, not the string "six"
            {"script":"","dependencies":[5]}              | 'dependencies[0]' must be a string, not 5
            {"script":"","dependencies":"[5]"}            | 'dependencies[0]' must be a string, not 5
            {"script":"","timeout_seconds":"soon"}        | 'timeout_seconds' must be a number, not the string "soon"
            {"script":"","timeout_seconds":"NaN"}         | 'timeout_seconds' must be a number, not the string "NaN"
            {"script":"","timeout_seconds":[1]}           | 'timeout_seconds' must be a number, not an array
            {"script":"","files":["a"]}                   | 'files' must be an object, not an array
            {"script":"","files":{"a":5}}                 | 'files.a' must be a string or an object, not 5
            {"script":"","files":{"a":{"base65":""}}}     | 'files.a.base64' is missing: it must be a string
            {"script":"","files":{"a":{"base64":"****="}}} | 'files.a.base64' must be Base64
            {"script":"","variables":"x"}                 | 'variables' must be an array of strings, not the string "x"
            """)
    void tellsAModelWhichArgumentToMend(String arguments, String expected) throws Exception {
        ExecutePythonTool tool = new ExecutePythonTool(
                (request, listener, use) -> {
                    throw new AssertionError("ran in spite of " + arguments);
                },
                List.of());
        String message = "";
        try {
            tool.call(SchemaValidator.object(read(arguments)), CallContext.SILENT);
        } catch (BadArgumentException e) {
            message = e.getMessage();
        }
        assertTrue(message.startsWith("Argument '"), message);
        assertTrue(message.contains(expected), message);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '^', textBlock = """
            timeout_seconds | 30                   | 30.0
            timeout_seconds | "30"                 | 30.0
            timeout_seconds | " 2.5 "              | 2.5
            timeout_seconds | -1                   | -1.0
            timeout_seconds | null                 | 0
            dependencies    | ["a","b"]            | [a, b]
            dependencies    | "[\\"a\\", \\"b\\"]" | [a, b]
            dependencies    | "[]"                 | []
            dependencies    | null                 | []
            """)
    void takesWhatClientsNearlyGetRight(String name, String value, String expected) throws Exception {
        Map<String, Object> given = new LinkedHashMap<>();
        given.put("script", "");
        given.put(name, read(value));
        Arguments arguments = new ToolResource("execute_python").arguments(given);
        Object found = name.equals("dependencies")
                ? arguments.texts(name)
                : arguments.number(name).<Object>map(number -> number).orElse(0);
        assertEquals(expected, found.toString());
    }
}
