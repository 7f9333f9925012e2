package dev.pysandbox.mcp.tools;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.pysandbox.mcp.jsonrpc.Incoming;
import dev.pysandbox.mcp.jsonrpc.Jackson2Mapper;
import dev.pysandbox.support.ShortText;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The arguments of a tool call, checked; what clients often get nearly right is corrected. */
final class Arguments {
    private static final Pattern NUMBER = Pattern.compile("\\s*[+-]?\\d{1,15}(\\.\\d{1,15})?\\s*");
    private static final int MAX_QUOTED = 40;

    private final Map<String, Object> values = new LinkedHashMap<>();
    private final List<String> problems = new ArrayList<>();

    enum ValueType {
        TEXT("a string"),
        TEXTS("an array of strings"),
        NUMBER("a number"),
        FILES("an object");

        private final String words;

        ValueType(String words) {
            this.words = words;
        }
    }

    /** An argument that a tool takes, as its schema declares it. */
    record Argument(String name, ValueType type, boolean required) {
        static Argument required(String name, ValueType type) {
            return new Argument(name, type, true);
        }

        static Argument optional(String name, ValueType type) {
            return new Argument(name, type, false);
        }
    }

    private Arguments() {}

    /** @throws ToolException naming each argument that is wrong and what was expected */
    static Arguments read(List<Argument> known, Map<String, Object> given, Jackson2Mapper json) {
        Arguments arguments = new Arguments();
        arguments.readAll(known, given, json);
        if (!arguments.problems.isEmpty()) {
            throw new ToolException("Argument " + String.join("; ", arguments.problems) + ".");
        }
        return arguments;
    }

    private void readAll(List<Argument> known, Map<String, Object> given, Jackson2Mapper json) {
        for (Argument argument : known) {
            if (argument.required() && given.get(argument.name()) == null) {
                missing(argument.name(), argument.type().words);
            }
        }
        given.forEach((name, value) -> {
            Optional<Argument> argument =
                    known.stream().filter(each -> each.name().equals(name)).findFirst();
            if (value != null && argument.isPresent()) { // null is how some clients leave an argument out
                read(argument.get(), value, json);
            } else if (value != null) {
                unknown(name, known);
            }
        });
    }

    private void read(Argument argument, Object given, Jackson2Mapper json) {
        Object value = given instanceof String text ? corrected(text, argument.type(), json) : given;
        values.put(argument.name(), value);
        if (argument.type() == ValueType.TEXTS && value instanceof List<?> list) {
            checkTexts(argument.name(), list);
        } else if (argument.type() == ValueType.FILES && value instanceof Map<?, ?>) {
            object(argument.name()).forEach((file, content) -> checkFile(argument.name() + "." + file, content));
        } else if (!(argument.type() == ValueType.TEXT && value instanceof String)
                && !(argument.type() == ValueType.NUMBER && value instanceof Number)) {
            wrong(argument.name(), argument.type().words, value);
        }
    }

    /** A number written as a string becomes a number, an array or object encoded as a string what it encodes. */
    private static Object corrected(String text, ValueType type, Jackson2Mapper json) {
        if (type == ValueType.NUMBER && NUMBER.matcher(text).matches()) {
            return new BigDecimal(text.strip());
        }
        if (type != ValueType.TEXTS && type != ValueType.FILES) {
            return text;
        }
        try {
            Object decoded = json.readValue(text, Object.class);
            return decoded instanceof List<?> || decoded instanceof Map<?, ?> ? decoded : text;
        } catch (JsonProcessingException e) {
            return text;
        }
    }

    private void checkTexts(String name, List<?> list) {
        for (int i = 0; i < list.size(); i++) {
            if (!(list.get(i) instanceof String)) {
                wrong(name + "[" + i + "]", ValueType.TEXT.words, list.get(i));
            }
        }
    }

    private void checkFile(String name, @Nullable Object content) {
        Optional<Map<String, Object>> encoded = Incoming.object(content);
        if (encoded.isPresent() && !encoded.get().containsKey("base64")) {
            problems.add("'" + name + "' must be a string or {\"base64\": \"...\"}: send JSON as a string");
        } else if (encoded.isPresent() && !(encoded.get().get("base64") instanceof String)) {
            wrong(name + ".base64", ValueType.TEXT.words, encoded.get().get("base64"));
        } else if (encoded.isEmpty() && !(content instanceof String)) {
            wrong(name, "a string or an object", content);
        }
    }

    private void missing(String name, String expected) {
        problems.add("'" + name + "' is missing: it must be " + expected);
    }

    private void unknown(String name, List<Argument> known) {
        String names = known.stream().map(Argument::name).collect(Collectors.joining(", "));
        problems.add("'" + name + "' is not known" + (names.isEmpty() ? "" : ": use " + names));
    }

    private void wrong(String name, String expected, @Nullable Object given) {
        problems.add("'" + name + "' must be " + expected + ", not " + words(given));
    }

    private static String words(@Nullable Object value) {
        if (value instanceof String text) {
            return "the string \"" + ShortText.start(text, MAX_QUOTED) + "\"";
        }
        if (value instanceof List<?>) {
            return "an array";
        }
        return value instanceof Map<?, ?> ? "an object" : String.valueOf(value);
    }

    String text(String name) {
        return values.get(name) instanceof String text ? text : "";
    }

    Optional<Double> number(String name) {
        return values.get(name) instanceof Number number ? Optional.of(number.doubleValue()) : Optional.empty();
    }

    List<String> texts(String name) {
        return values.get(name) instanceof List<?> list
                ? list.stream().map(String::valueOf).toList()
                : List.of();
    }

    Map<String, Object> object(String name) {
        return Incoming.object(values.get(name)).orElse(Map.of());
    }
}
