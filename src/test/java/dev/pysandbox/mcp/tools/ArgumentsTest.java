package dev.pysandbox.mcp.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pysandbox.mcp.jsonrpc.Incoming;
import dev.pysandbox.mcp.jsonrpc.Jackson2Mapper;
import dev.pysandbox.mcp.render.ResultTextTest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ArgumentsTest {
    private static final Jackson2Mapper JSON = new Jackson2Mapper();

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
            {"script":"","files":"[1]"}                   | 'files' must be an object, not an array
            {"script":"","files":{"a":{"base64":null}}}   | 'files.a.base64' must be a string, not null
            {"script":"","files":{"a":{"base65":""}}}     | 'files.a' must be a string or {"base64": "..."}: send JSON as a string
            {"script":"","files":{"x.json":{"a":1}}}      | 'files.x.json' must be a string or {"base64": "..."}: send JSON as a string
            {"script":"","files":{"a":{"base64":"****="}}} | 'files.a.base64' must be Base64
            {"script":"","variables":"x"}                 | 'variables' must be an array of strings, not the string "x"
            {"variables":[[],{}],"code":1}                | 'script' is missing: it must be a string; 'variables[0]' must be a string, not an array; 'variables[1]' must be a string, not an object; 'code' is not known: use script, dependencies, timeout_seconds, files, variables.
            """)
    void namesTheArgumentToFix(String arguments, String expected) throws Exception {
        ExecutePythonTool tool = new ExecutePythonTool(
                () -> {
                    throw new AssertionError("ran in spite of " + arguments);
                },
                List.of());
        // A schema can't describe Base64.
        assertEquals(
                !expected.endsWith("must be Base64"),
                !Schemas.problems(tool.definition().inputSchema(), read(arguments))
                        .isEmpty());
        String message = "";
        try {
            tool.call(Incoming.object(read(arguments)).orElseThrow(), CallContext.SILENT);
        } catch (ToolException e) {
            message = e.getMessage();
        }
        assertTrue(message.startsWith("Argument '"), message);
        assertTrue(message.contains(expected), message);
    }

    @Test
    void aToolWithoutArgumentsTakesNone() {
        CheckEnvironmentTool tool = new CheckEnvironmentTool(() -> {
            throw new AssertionError("checked in spite of an argument");
        });
        ToolException refused = assertThrows(ToolException.class, () -> tool.call(Map.of("x", 1), CallContext.SILENT));
        assertEquals("Argument 'x' is not known.", refused.getMessage());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '^', textBlock = """
            timeout_seconds | 30                   | 30000
            timeout_seconds | "30"                 | 30000
            timeout_seconds | " 2.5 "              | 2500
            timeout_seconds | -1                   | -1000
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
        List<Object> found = new ArrayList<>();
        ToySandbox sandbox = new ToySandbox(request -> {
            found.add(
                    name.equals("dependencies")
                            ? request.dependencies()
                            : request.timeout().map(Duration::toMillis).orElse(0L));
            return ResultTextTest.result().build();
        });
        new ExecutePythonTool(() -> sandbox, List.of()).call(given, CallContext.SILENT);
        assertEquals(List.of(expected).toString(), found.toString());
    }
}
