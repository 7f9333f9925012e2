package dev.pysandbox.mcp.tools;

import dev.pysandbox.mcp.jsonrpc.Incoming;
import io.modelcontextprotocol.json.schema.JsonSchemaValidator;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Validates JSON values against the part of JSON Schema that the tools use: type, enum, minimum, maximum, required,
 * properties, additionalProperties, items and anyOf.
 */
public final class SchemaValidator implements JsonSchemaValidator {
    @Override
    public ValidationResponse validate(Map<String, Object> schema, Object value) {
        List<String> problems = problems(schema, value);
        return problems.isEmpty()
                ? ValidationResponse.asValid("")
                : ValidationResponse.asInvalid(String.join("; ", problems));
    }

    /** Returns the errors in a value; each names the place and what was expected there. */
    public List<String> problems(Map<String, Object> schema, @Nullable Object value) {
        List<String> problems = new ArrayList<>();
        check(schema, value, "", problems);
        return problems;
    }

    private void check(Map<String, Object> schema, @Nullable Object value, String path, List<String> problems) {
        List<Map<String, Object>> alternatives = schemas(schema.get("anyOf"));
        if (!alternatives.isEmpty()) {
            checkAny(alternatives, value, path, problems);
            return;
        }
        List<?> types = types(schema);
        if (!types.isEmpty() && types.stream().noneMatch(type -> hasType(String.valueOf(type), value))) {
            problems.add(
                    named(path) + " must be " + SchemaWords.expected(schema) + ", not " + SchemaWords.given(value));
            return;
        }
        if (schema.get("enum") instanceof List<?> values && !values.contains(value)) {
            problems.add(named(path) + " must be one of " + words(values) + ", not " + SchemaWords.given(value));
        }
        if (value instanceof Number number) {
            checkRange(schema, number, path, problems);
        }
        if (value instanceof List<?> list && schema.get("items") != null) {
            Map<String, Object> items = object(schema.get("items"));
            for (int i = 0; i < list.size(); i++) {
                check(items, list.get(i), path + "[" + i + "]", problems);
            }
        }
        Incoming.object(value).ifPresent(members -> checkMembers(schema, members, path, problems));
    }

    private void checkAny(
            List<Map<String, Object>> alternatives, @Nullable Object value, String path, List<String> problems) {
        List<List<String>> found =
                alternatives.stream().map(schema -> nested(schema, value, path)).toList();
        if (found.stream().anyMatch(List::isEmpty)) {
            return;
        }
        Optional<Integer> meant = Optional.empty();
        for (int i = 0; i < alternatives.size() && meant.isEmpty(); i++) {
            List<?> types = types(alternatives.get(i));
            meant = types.stream().anyMatch(type -> hasType(String.valueOf(type), value))
                    ? Optional.of(i)
                    : Optional.empty();
        }
        problems.addAll(meant.map(found::get)
                .orElseGet(() -> List.of(named(path) + " must be "
                        + alternatives.stream().map(SchemaWords::expected).collect(Collectors.joining(" or "))
                        + ", not " + SchemaWords.given(value))));
    }

    private List<String> nested(Map<String, Object> schema, @Nullable Object value, String path) {
        List<String> problems = new ArrayList<>();
        check(schema, value, path, problems);
        return problems;
    }

    private static void checkRange(Map<String, Object> schema, Number number, String path, List<String> problems) {
        BigDecimal value = new BigDecimal(number.toString());
        if (schema.get("minimum") instanceof Number minimum
                && value.compareTo(new BigDecimal(minimum.toString())) < 0) {
            problems.add(named(path) + " must be at least " + minimum + ", not " + number);
        }
        if (schema.get("maximum") instanceof Number maximum
                && value.compareTo(new BigDecimal(maximum.toString())) > 0) {
            problems.add(named(path) + " must be at most " + maximum + ", not " + number);
        }
    }

    private void checkMembers(
            Map<String, Object> schema, Map<String, Object> members, String path, List<String> problems) {
        Map<String, Object> properties = object(schema.get("properties"));
        if (schema.get("required") instanceof List<?> required) {
            for (Object name : required) {
                if (!members.containsKey(String.valueOf(name))) {
                    Map<String, Object> missing = object(properties.get(String.valueOf(name)));
                    problems.add(named(join(path, String.valueOf(name))) + " is missing: it must be "
                            + SchemaWords.expected(missing));
                }
            }
        }
        Object others = schema.get("additionalProperties");
        members.forEach((name, member) -> {
            String place = join(path, name);
            if (properties.containsKey(name)) {
                check(object(properties.get(name)), member, place, problems);
            } else if (Boolean.FALSE.equals(others)) {
                problems.add(named(place) + " is not known"
                        + (properties.isEmpty() ? "" : ": use " + words(List.copyOf(properties.keySet()))));
            } else if (others instanceof Map<?, ?>) {
                check(object(others), member, place, problems);
            }
        });
    }

    static List<?> types(Map<String, Object> schema) {
        Object type = schema.get("type");
        return type instanceof List<?> several ? several : type == null ? List.of() : List.of(type);
    }

    private static boolean hasType(String type, @Nullable Object value) {
        return switch (type) {
            case "string" -> value instanceof String;
            case "boolean" -> value instanceof Boolean;
            case "integer" -> isWhole(value);
            case "number" -> value instanceof Number;
            case "array" -> value instanceof List<?>;
            case "object" -> value instanceof Map<?, ?>;
            case "null" -> value == null;
            default -> throw new IllegalArgumentException("unknown type in a schema: " + type);
        };
    }

    private static boolean isWhole(@Nullable Object value) {
        return value instanceof Integer
                || value instanceof Long
                || value instanceof BigInteger
                || (value instanceof Double number && number == Math.rint(number) && !number.isInfinite());
    }

    private static List<Map<String, Object>> schemas(@Nullable Object list) {
        return list instanceof List<?> several
                ? several.stream().map(SchemaValidator::object).toList()
                : List.of();
    }

    static Map<String, Object> object(@Nullable Object json) {
        return Incoming.object(json).orElse(Map.of());
    }

    private static String join(String path, String name) {
        return path.isEmpty() ? name : path + "." + name;
    }

    private static String named(String path) {
        return path.isEmpty() ? "the value" : "'" + path + "'";
    }

    private static String words(List<?> values) {
        return values.stream().map(Objects::toString).collect(Collectors.joining(", "));
    }
}
