package dev.pysandbox.mcp.tools;

import dev.pysandbox.mcp.jsonrpc.Jackson2Mapper;
import io.modelcontextprotocol.json.TypeRef;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import io.modelcontextprotocol.spec.McpSchema.ToolAnnotations;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;

/** Converts a {@link ToolText} to the SDK's tool and validates arguments against its schema. */
final class ToolResource {
    private final Jackson2Mapper json = new Jackson2Mapper();
    private final ToolText text;
    private final Map<String, Map<String, Object>> parts;

    ToolResource(String name) {
        this.text = new ToolText(name, List.of());
        try {
            this.parts = json.readValue(text.schemas(), new TypeRef<Map<String, Map<String, Object>>>() {});
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** @param notes lines that are added to the description, depending on the settings */
    Tool tool(List<String> notes) {
        return Tool.builder(text.name(), input())
                .description(text.withNotes(notes).description())
                .outputSchema(parts.get("output"))
                .annotations(json.convertValue(parts.getOrDefault("annotations", Map.of()), ToolAnnotations.class))
                .build();
    }

    /** @throws BadArgumentException if they do not match the tool's schema */
    Arguments arguments(Map<String, Object> given) {
        return Arguments.read(input(), given, json);
    }

    private Map<String, Object> input() {
        return parts.getOrDefault("input", Map.of());
    }
}
