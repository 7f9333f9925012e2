package dev.pysandbox.mcp.tools;

import dev.pysandbox.mcp.jsonrpc.Incoming;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Describes what a schema expects and what was given instead. */
final class SchemaWords {
    private static final int MAX_QUOTED = 40;
    private static final Map<String, String> NAMES = Map.of(
            "string", "a string",
            "boolean", "true or false",
            "integer", "a whole number",
            "number", "a number",
            "array", "an array",
            "object", "an object",
            "null", "null");

    private SchemaWords() {}

    static String expected(Map<String, Object> schema) {
        String types = SchemaValidator.types(schema).stream()
                .map(type -> NAMES.getOrDefault(String.valueOf(type), "a value"))
                .collect(Collectors.joining(" or "));
        Optional<Object> items = Incoming.object(schema.get("items")).map(of -> of.get("type"));
        if (types.equals("an array") && items.isPresent()) {
            return "an array of " + items.get() + "s";
        }
        return types.isEmpty() ? "a value" : types;
    }

    static String given(@Nullable Object value) {
        if (value instanceof String text) {
            String start = text.length() > MAX_QUOTED ? text.substring(0, MAX_QUOTED) + "…" : text;
            return "the string \"" + start + "\"";
        }
        if (value instanceof List<?>) {
            return "an array";
        }
        return value instanceof Map<?, ?> ? "an object" : String.valueOf(value);
    }
}
