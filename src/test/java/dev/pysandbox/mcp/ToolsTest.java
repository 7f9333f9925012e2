package dev.pysandbox.mcp;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.knuddels.jtokkit.Encodings;
import com.knuddels.jtokkit.api.EncodingType;
import dev.pysandbox.api.ExecutionRequest;
import dev.pysandbox.api.PythonSandbox;
import dev.pysandbox.api.ValidationReport;
import dev.pysandbox.mcp.render.ResultTextTest;
import dev.pysandbox.mcp.tools.CallContext;
import dev.pysandbox.mcp.tools.ReportText;
import dev.pysandbox.mcp.tools.SandboxTool;
import dev.pysandbox.mcp.tools.SandboxTools;
import dev.pysandbox.mcp.tools.Schemas;
import dev.pysandbox.mcp.tools.ToySandbox;
import io.modelcontextprotocol.spec.McpSchema.TextContent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ToolsTest {
    private final List<ExecutionRequest> requests = new ArrayList<>();
    private final ToySandbox sandbox = new ToySandbox(request -> {
        requests.add(request);
        return ResultTextTest.result().build();
    });
    private final List<SandboxTool> tools = sandbox.tools();
    private final SandboxTool execute = tools.get(0);

    @Test
    void theListCostsAnAgentLittle() {
        try (TestClient client = new TestClient(tools)) {
            JsonNode result = client.ask("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}")
                    .get("result");
            String text = result.toString();
            for (EncodingType model : List.of(EncodingType.O200K_BASE, EncodingType.CL100K_BASE)) {
                int tokens =
                        Encodings.newLazyEncodingRegistry().getEncoding(model).countTokensOrdinary(text);
                assertTrue(tokens < 1200, () -> tokens + " tokens");
            }
            assertTrue(text.contains("pep-0723") && text.contains("pep-0508") && text.contains("=="));
            assertEquals("execute_python", result.at("/tools/0/name").asText());
            assertEquals("validate_script", result.at("/tools/1/name").asText());
            assertEquals("check_environment", result.at("/tools/2/name").asText());
            assertEquals(3, result.get("tools").size());
            for (JsonNode tool : result.get("tools")) {
                JsonNode hints = tool.get("annotations");
                assertTrue(hints.get("readOnlyHint").asBoolean());
                assertTrue(hints.get("openWorldHint").isBoolean());
                assertTrue(!hints.get("destructiveHint").asBoolean());
                assertTrue(hints.get("idempotentHint").isBoolean());
                assertTrue(!hints.get("title").asText().isEmpty());
            }
        }
    }

    @Test
    void aDescriptionCanHaveNotes() {
        assertEquals(
                execute.definition().description() + "\nData that scripts can open: /data/books (read-only)",
                sandbox.tools("/data/books (read-only)").get(0).definition().description());
    }

    @Test
    void executeUnderstandsItsArguments() {
        execute.call(
                Map.of(
                        "script", "print(1)",
                        "dependencies", List.of("six"),
                        "timeout_seconds", 2.5,
                        "files", Map.of("a.bin", Map.of("base64", "AAH/")),
                        "variables", List.of("x")),
                CallContext.SILENT);
        ExecutionRequest request = requests.get(0);
        assertEquals("print(1)", request.script());
        assertEquals(List.of("six"), request.dependencies());
        assertEquals(Optional.of(Duration.ofMillis(2500)), request.timeout());
        assertEquals("a.bin", request.files().get(0).name());
        assertArrayEquals(new byte[] {0, 1, -1}, request.files().get(0).content());
        assertEquals(List.of("x"), request.variables());
    }

    @Test
    void absurdTimeoutsAreLeftToTheSandboxToClamp() {
        execute.call(Map.of("script", "", "timeout_seconds", 1e300), CallContext.SILENT);
        execute.call(Map.of("script", "", "timeout_seconds", -1e300), CallContext.SILENT);
        execute.call(Map.of("script", "", "files", Map.of("é", "ü")), CallContext.SILENT);
        assertTrue(requests.get(0).timeout().orElseThrow().toDays() > 10_000);
        assertTrue(requests.get(1).timeout().orElseThrow().isNegative());
        assertEquals(Optional.empty(), requests.get(2).timeout());
        assertEquals(2, requests.get(2).files().get(0).content().length);
    }

    @Test
    void badArgumentsAreAToolError() {
        try (TestClient client = new TestClient(tools)) {
            JsonNode answer = client.ask("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":"
                    + "{\"name\":\"execute_python\",\"arguments\":{}}}");
            assertTrue(answer.at("/result/isError").asBoolean(), answer::toString);
            assertEquals(
                    "Argument 'script' is missing: it must be a string.",
                    answer.at("/result/content/0/text").asText());
            client.assertAlive();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"execute_python", "validate_script", "check_environment"})
    void aSandboxThatCannotBeOpenedIsAToolError(String tool) {
        CompletableFuture<PythonSandbox> opening = CompletableFuture.failedFuture(
                new IllegalArgumentException("UV_DEFAULT_INDEX must be an http or https URL or a folder, got 'x'"));
        try (TestClient client = new TestClient(SandboxTools.of(opening, List.of()))) {
            String arguments = tool.startsWith("check") ? "{}" : "{\"script\":\"\"}";
            JsonNode answer = client.ask("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":"
                    + "{\"name\":\"" + tool + "\",\"arguments\":" + arguments + "}}");
            assertTrue(answer.at("/result/isError").asBoolean(), answer::toString);
            assertEquals(
                    "The sandbox could not be opened: UV_DEFAULT_INDEX must be an http or https URL or a folder, got"
                            + " 'x'. Tell the user: fix this where the MCP server runs, then restart the server.",
                    answer.at("/result/content/0/text").asText());
        }
    }

    @Test
    void resultsPassTheOutputCheckOfTheSdk() {
        try (TestClient client = new TestClient(tools)) {
            JsonNode answer = client.ask("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":"
                    + "{\"name\":\"execute_python\",\"arguments\":{\"script\":\"\"}}}");
            assertEquals("ok", answer.at("/result/structuredContent/status").asText(), answer::toString);
            JsonNode validated = client.ask("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":"
                    + "{\"name\":\"validate_script\",\"arguments\":{\"script\":\"\"}}}");
            assertTrue(validated.at("/result/structuredContent/valid").asBoolean(), validated::toString);
            JsonNode checked = client.ask("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":"
                    + "{\"name\":\"check_environment\"}}");
            assertTrue(
                    checked.at("/result/content/0/text").asText().startsWith("Python version: 3.13.5\n"),
                    checked::toString);
            assertEquals(
                    "{\"python_version\":\"3.13.5\",\"uv\":\"0.13.7 (/usr/bin/uv)\",\"platform\":\"Linux x86_64\","
                            + "\"sandbox\":\"native\",\"sandbox_status\":\"ok\",\"default_timeout_seconds\":30,"
                            + "\"max_timeout_seconds\":300,\"max_output_bytes\":102400,\"cache_warming\":true,"
                            + "\"probes\":[\"Home readable: no\"],\"remedies\":[\"No cgroup: sudo something\"]}",
                    checked.at("/result/structuredContent").toString());
        }
    }

    @Test
    void reportsFitTheirSchemas() {
        for (SandboxTool tool : tools.subList(1, 3)) {
            Map<String, Object> arguments =
                    tool.definition().name().equals("validate_script") ? Map.of("script", "") : Map.of();
            assertEquals(
                    List.of(),
                    Schemas.problems(
                            tool.definition().outputSchema(),
                            tool.call(arguments, CallContext.SILENT).structuredContent()));
        }
    }

    @Test
    void validateWritesItsLines() {
        assertEquals(
                "VALID\nrequires-python: not stated\ndependencies: none",
                ReportText.of(new ValidationReport(Optional.empty(), Optional.empty(), List.of(), List.of())));
        assertEquals(
                "VALID\nrequires-python: >=3.9\ndependencies (2):\n  - six==1.17.0\n  - rich\nwarnings:\n  - no pins",
                ReportText.of(new ValidationReport(
                        Optional.empty(), Optional.of(">=3.9"), List.of("six==1.17.0", "rich"), List.of("no pins"))));
        assertEquals(
                "INVALID: line 2, column 5: invalid syntax",
                ReportText.of(new ValidationReport(
                        Optional.of("line 2, column 5: invalid syntax"), Optional.empty(), List.of(), List.of())));
    }

    @Test
    void checkWritesItsLines() {
        SandboxTool check = tools.get(2);
        String text = ((TextContent)
                        check.call(Map.of(), CallContext.SILENT).content().get(0))
                .text();
        assertEquals("""
            Python version: 3.13.5
            uv: 0.13.7 (/usr/bin/uv)
            Platform: Linux x86_64
            Sandbox backend: native
            Sandbox status: ok
            Default timeout: 30s
            Max timeout: 300s
            Max output: 102400 bytes
            Cache warming: enabled
            Home readable: no
            No cgroup: sudo something\
            """, text);
    }
}
