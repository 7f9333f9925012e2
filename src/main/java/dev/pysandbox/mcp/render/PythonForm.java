package dev.pysandbox.mcp.render;

import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Writes values as Python writes them: {@code [1, None, 'a']}. */
final class PythonForm {
    private PythonForm() {}

    /** Returns what follows the name of a variable: its value, or the description of a value that is not JSON. */
    static String afterName(@Nullable Object value) {
        if (value instanceof Map<?, ?> map) {
            if (map.equals(Map.of("unknown", true))) {
                return " is not defined";
            }
            if (map.size() == 1 && map.get("error") instanceof String error) {
                return ": " + error;
            }
            if (map.get("type") instanceof String && map.get("repr") instanceof String repr) {
                return " = " + repr;
            }
            if (map.get("type") instanceof String type && map.get("head") instanceof String head) {
                return " = " + table(type, map, head);
            }
        }
        return " = " + of(value);
    }

    /** Returns a line with the type and sizes of a table, then its first rows. */
    private static String table(String type, Map<?, ?> description, String head) {
        Map<Object, Object> facts = new LinkedHashMap<>(description);
        facts.keySet().removeAll(List.of("type", "head"));
        return type
                + facts.entrySet().stream()
                        .map(fact -> ", " + fact.getKey() + " " + of(fact.getValue()))
                        .collect(Collectors.joining())
                + (head.contains("\n") ? ":\n" : ": ")
                + head;
    }

    static String of(@Nullable Object value) {
        if (value == null) {
            return "None";
        }
        if (value instanceof Boolean truth) {
            return truth ? "True" : "False";
        }
        if (value instanceof String text) {
            return quoted(text);
        }
        if (value instanceof List<?> list) {
            return list.stream().map(PythonForm::of).collect(Collectors.joining(", ", "[", "]"));
        }
        if (value instanceof Map<?, ?> map) {
            return map.entrySet().stream()
                    .map(member -> of(member.getKey()) + ": " + of(member.getValue()))
                    .collect(Collectors.joining(", ", "{", "}"));
        }
        if (value instanceof Double number) {
            return decimal(number);
        }
        return value.toString();
    }

    /** Returns a number as Python writes it: with an exponent from 1e16 on and below 0.0001. */
    private static String decimal(double number) {
        double size = Math.abs(number);
        if (size == 0 || (size >= 1e-4 && size < 1e16)) {
            String plain =
                    new BigDecimal(Double.toString(number)).stripTrailingZeros().toPlainString();
            String signed = number == 0 && 1 / number < 0 ? "-0.0" : plain;
            return signed.contains(".") ? signed : signed + ".0";
        }
        String[] parts = Double.toString(number).split("E", 2);
        int exponent = Integer.parseInt(parts[1]);
        String digits = parts[0].endsWith(".0") ? parts[0].substring(0, parts[0].length() - 2) : parts[0];
        return digits + "e" + (exponent < 0 ? "-" : "+") + (Math.abs(exponent) < 10 ? "0" : "") + Math.abs(exponent);
    }

    private static String quoted(String text) {
        char quote = text.indexOf('\'') >= 0 && text.indexOf('"') < 0 ? '"' : '\'';
        StringBuilder quoted = new StringBuilder().append(quote);
        text.codePoints().forEach(c -> {
            switch (c) {
                case '\n' -> quoted.append("\\n");
                case '\r' -> quoted.append("\\r");
                case '\t' -> quoted.append("\\t");
                case '\\' -> quoted.append("\\\\");
                default -> {
                    if (c == quote) {
                        quoted.append('\\');
                    }
                    quoted.appendCodePoint(c);
                }
            }
        });
        return quoted.append(quote).toString();
    }
}
