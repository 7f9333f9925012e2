package dev.pysandbox.mcp.http;

import dev.pysandbox.mcp.McpServer;
import dev.pysandbox.mcp.tools.CallContext;
import dev.pysandbox.mcp.tools.LogLevel;
import dev.pysandbox.mcp.tools.SandboxTool;
import io.modelcontextprotocol.spec.McpSchema.AudioContent;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.Content;
import io.modelcontextprotocol.spec.McpSchema.EmbeddedResource;
import io.modelcontextprotocol.spec.McpSchema.ImageContent;
import io.modelcontextprotocol.spec.McpSchema.TextContent;
import io.modelcontextprotocol.spec.McpSchema.TextResourceContents;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.function.Function;

/** Serves the tools that the conformance suite of MCP expects, with the server and the transport of the program. */
final class ConformanceServer {
    /** Longer than progress is held back. */
    private static final Duration BETWEEN_PROGRESS = Duration.ofMillis(300);

    private static final Duration BETWEEN_LOGS = Duration.ofMillis(50);
    private static final Map<String, Object> ANY_OBJECT = Map.of("type", "object");
    private static final String PNG =
            "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";
    private static final String WAV = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=";

    private ConformanceServer() {}

    /** A tool that calls a function. */
    private record Fixture(
            String name, Map<String, Object> schema, boolean fails, Function<CallContext, List<Content>> content)
            implements SandboxTool {
        @Override
        public Tool definition() {
            return Tool.builder(name, schema)
                    .description("A tool of the conformance suite")
                    .build();
        }

        @Override
        public CallToolResult call(Map<String, Object> arguments, CallContext caller) {
            return CallToolResult.builder()
                    .content(content.apply(caller))
                    .isError(fails)
                    .build();
        }
    }

    public static void main(String[] args) throws IOException, InterruptedException {
        McpServer server = new McpServer(tools(), true);
        try (HttpMcpServer http =
                new HttpMcpServer(server, ListenAddress.parse(args[0]), List.of(), false, Duration.ofSeconds(1))) {
            System.err.println(http.url());
            http.awaitClosed();
        }
    }

    private static List<SandboxTool> tools() {
        return List.of(
                tool("test_simple_text", caller -> List.of(text("This is a simple text response for testing."))),
                tool("test_image_content", caller -> List.of(image())),
                tool(
                        "test_audio_content",
                        caller -> List.of(AudioContent.builder(WAV, "audio/wav").build())),
                tool(
                        "test_embedded_resource",
                        caller -> List.of(resource(
                                "test://embedded-resource", "text/plain", "This is an embedded resource content."))),
                tool(
                        "test_multiple_content_types",
                        caller -> List.of(
                                text("Multiple content types test:"),
                                image(),
                                resource(
                                        "test://mixed-content-resource",
                                        "application/json",
                                        "{\"test\":\"data\",\"value\":123}"))),
                tool("test_tool_with_logging", ConformanceServer::log),
                tool("test_logging_tool", ConformanceServer::log),
                // It asks for nothing: a stream of this server never contains a request.
                tool("test_streaming_elicitation", ConformanceServer::log),
                tool("test_tool_with_progress", ConformanceServer::progress),
                new Fixture(
                        "test_error_handling",
                        ANY_OBJECT,
                        true,
                        caller -> List.of(text("This tool intentionally returns an error for testing"))),
                new Fixture("json_schema_2020_12_tool", richSchema(), false, caller -> List.of(text("ok"))));
    }

    private static SandboxTool tool(String name, Function<CallContext, List<Content>> content) {
        return new Fixture(name, ANY_OBJECT, false, content);
    }

    private static List<Content> log(CallContext caller) {
        for (String message : List.of("Tool execution started", "Tool processing data", "Tool execution completed")) {
            caller.log(LogLevel.INFO, message);
            pause(BETWEEN_LOGS);
        }
        return List.of(text("logged"));
    }

    private static List<Content> progress(CallContext caller) {
        for (String message : List.of("begins", "goes on", "ends")) {
            caller.progress(message);
            pause(BETWEEN_PROGRESS);
        }
        return List.of(text("done"));
    }

    private static void pause(Duration time) {
        try {
            Thread.sleep(time.toMillis());
        } catch (InterruptedException e) {
            throw new CancellationException();
        }
    }

    private static Content text(String text) {
        return TextContent.builder(text).build();
    }

    private static Content image() {
        return ImageContent.builder(PNG, "image/png").build();
    }

    private static Content resource(String uri, String type, String text) {
        return EmbeddedResource.builder(
                        TextResourceContents.builder(uri, text).mimeType(type).build())
                .build();
    }

    private static Map<String, Object> richSchema() {
        Map<String, Object> text = Map.of("type", "string");
        Map<String, Object> address =
                Map.of("$anchor", "addressDef", "type", "object", "properties", Map.of("street", text, "city", text));
        return Map.of(
                "$schema", "https://json-schema.org/draft/2020-12/schema",
                "type", "object",
                "$defs", Map.of("address", address),
                "properties",
                        Map.of(
                                "name", text,
                                "address", Map.of("$ref", "#/$defs/address"),
                                "contactMethod", Map.of("type", "string", "enum", List.of("phone", "email")),
                                "phone", text,
                                "email", text),
                "allOf",
                        List.of(Map.of(
                                "anyOf",
                                List.of(Map.of("required", List.of("phone")), Map.of("required", List.of("email"))))),
                "if",
                        Map.of(
                                "properties",
                                Map.of("contactMethod", Map.of("const", "phone")),
                                "required",
                                List.of("contactMethod")),
                "then", Map.of("required", List.of("phone")),
                "else", Map.of("required", List.of("email")),
                "additionalProperties", false);
    }
}
