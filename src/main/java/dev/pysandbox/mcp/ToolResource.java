package dev.pysandbox.mcp;

import io.modelcontextprotocol.json.TypeRef;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import io.modelcontextprotocol.spec.McpSchema.ToolAnnotations;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/** A tool's words from the resource files: {@code tools/NAME.md} for the model, {@code tools/NAME.schema.json} for programs. */
final class ToolResource {
    private final Jackson2Mapper json = new Jackson2Mapper();
    private final String name;
    private final Map<String, Map<String, Object>> schemas;

    ToolResource(String name) {
        this.name = name;
        try {
            this.schemas = json.readValue(read(".schema.json"), new TypeRef<Map<String, Map<String, Object>>>() {});
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** @param more lines that depend on how the server was started, added to the description */
    Tool tool(String title, boolean idempotent, List<String> more) {
        String description = read(".md").strip()
                + String.join("", more.stream().map(line -> "\n" + line).toList());
        return Tool.builder(name, input())
                .description(description)
                .outputSchema(schemas.get("output"))
                .annotations(ToolAnnotations.builder()
                        .title(title)
                        .readOnlyHint(true)
                        .destructiveHint(false)
                        .idempotentHint(idempotent)
                        .openWorldHint(true)
                        .build())
                .build();
    }

    /** @throws BadArgumentException where they do not fit the tool's schema */
    Arguments arguments(Map<String, Object> given) {
        return Arguments.read(input(), given, json);
    }

    private Map<String, Object> input() {
        return schemas.getOrDefault("input", Map.of());
    }

    private String read(String ending) {
        String path = "tools/" + name + ending;
        try (InputStream in = ToolResource.class.getResourceAsStream(path)) {
            if (in == null) {
                throw new IllegalStateException("the resource " + path + " is missing");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
