package dev.pysandbox.mcp.tools;

import dev.pysandbox.mcp.jsonrpc.Jackson2Mapper;
import dev.pysandbox.mcp.tools.Arguments.Argument;
import io.modelcontextprotocol.json.TypeRef;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import io.modelcontextprotocol.spec.McpSchema.ToolAnnotations;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;

/** A {@link ToolText} as the SDK wants it, with the arguments that the tool takes. */
final class ToolResource {
    private final Jackson2Mapper json = new Jackson2Mapper();
    private final ToolText text;
    private final List<Argument> known;
    private final Map<String, Map<String, Object>> parts;

    ToolResource(String name, Argument... known) {
        this.known = List.of(known);
        this.text = new ToolText(name, List.of());
        try {
            this.parts = json.readValue(text.schemas(), new TypeRef<Map<String, Map<String, Object>>>() {});
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** @param notes lines that are added to the description, depending on the settings */
    Tool tool(List<String> notes) {
        return Tool.builder(text.name(), parts.getOrDefault("input", Map.of()))
                .description(text.withNotes(notes).description())
                .outputSchema(parts.get("output"))
                .annotations(json.convertValue(parts.getOrDefault("annotations", Map.of()), ToolAnnotations.class))
                .build();
    }

    /** @throws ToolException naming each argument that is wrong and what was expected */
    Arguments arguments(Map<String, Object> given) {
        return Arguments.read(known, given, json);
    }
}
