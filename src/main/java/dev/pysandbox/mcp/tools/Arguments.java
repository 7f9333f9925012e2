package dev.pysandbox.mcp.tools;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.pysandbox.mcp.jsonrpc.Jackson2Mapper;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The arguments of a tool call, validated against its schema. Common mistakes of clients are corrected. */
final class Arguments {
    private static final Pattern NUMBER = Pattern.compile("\\s*[+-]?\\d{1,15}(\\.\\d{1,15})?\\s*");

    private final Map<String, Object> values;

    private Arguments(Map<String, Object> values) {
        this.values = values;
    }

    /** @throws BadArgumentException that names each wrong argument and what was expected */
    static Arguments read(Map<String, Object> schema, Map<String, Object> given, Jackson2Mapper json) {
        Map<String, Object> properties = SchemaValidator.object(schema.get("properties"));
        Map<String, Object> values = new LinkedHashMap<>();
        given.forEach((name, value) -> {
            if (value != null) { // some clients send null for an absent argument
                values.put(name, fix(SchemaValidator.object(properties.get(name)), value, json));
            }
        });
        List<String> problems = new SchemaValidator().problems(schema, values);
        if (!problems.isEmpty()) {
            throw new BadArgumentException("Argument " + String.join("; ", problems) + ".");
        }
        return new Arguments(values);
    }

    /** Converts a string to the number, array or object that it contains, if the schema requires one. */
    private static Object fix(Map<String, Object> schema, Object value, Jackson2Mapper json) {
        if (!(value instanceof String text)) {
            return value;
        }
        List<?> types = SchemaValidator.types(schema);
        if (types.contains("number") && NUMBER.matcher(text).matches()) {
            return new BigDecimal(text.strip());
        }
        Optional<Object> decoded = types.contains("array") || types.contains("object") ? decode(text, json) : empty();
        return decoded.filter(inner -> inner instanceof List<?> || inner instanceof Map<?, ?>)
                .orElse(text);
    }

    private static Optional<Object> decode(String text, Jackson2Mapper json) {
        try {
            return Optional.ofNullable(json.readValue(text, Object.class));
        } catch (JsonProcessingException e) {
            return empty();
        }
    }

    private static Optional<Object> empty() {
        return Optional.empty();
    }

    String text(String name) {
        return values.get(name) instanceof String text ? text : "";
    }

    Optional<Double> number(String name) {
        return values.get(name) instanceof Number number ? Optional.of(number.doubleValue()) : Optional.empty();
    }

    List<String> texts(String name) {
        @Nullable Object value = values.get(name);
        return value instanceof List<?> list
                ? list.stream().map(String::valueOf).toList()
                : List.of();
    }

    Map<String, Object> object(String name) {
        return SchemaValidator.object(values.get(name));
    }
}
