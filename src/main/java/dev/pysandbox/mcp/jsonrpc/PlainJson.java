package dev.pysandbox.mcp.jsonrpc;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes the JSON of a handshake, because loading Jackson takes longer than everything else before the first
 * response.
 *
 * <p>It reads a subset of JSON with the same result as Jackson. It does not read malformed text, nor what is unusual in
 * a handshake: a null, a fraction, deep nesting, a very long text; Jackson handles these. It uses no lambda, because
 * the first lambda costs 30 ms.
 */
public final class PlainJson {
    private static final int LONGEST = 1 << 16;
    private static final int DEEPEST = 32;
    private static final int MOST_DIGITS = 100;

    private final String text;
    private int at;

    /** A whole number, as written. */
    public record Whole(String digits) {}

    /** This class does not read the text. */
    private static final class UnreadException extends Exception {}

    private PlainJson(String text) {
        this.text = text;
    }

    /** Returns an object of strings, {@link Whole} numbers, booleans, lists and objects; empty if it is not read. */
    public static Optional<Map<String, Object>> read(String text) {
        if (text.length() > LONGEST) {
            return Optional.empty();
        }
        try {
            PlainJson json = new PlainJson(text);
            Object value = json.value(0);
            json.next();
            return json.at == text.length() ? object(value) : Optional.empty();
        } catch (UnreadException e) {
            return Optional.empty();
        }
    }

    /** Returns the value as an object, if it is one. */
    @SuppressWarnings("unchecked") // the keys of a parsed JSON object are strings
    public static Optional<Map<String, Object>> object(@Nullable Object value) {
        return value instanceof Map<?, ?> map ? Optional.of((Map<String, Object>) map) : Optional.empty();
    }

    private Object value(int depth) throws UnreadException {
        if (depth > DEEPEST) {
            throw new UnreadException();
        }
        return switch (next()) {
            case '{' -> members(depth);
            case '[' -> items(depth);
            case '"' -> string();
            case 't' -> literal("true", Boolean.TRUE);
            case 'f' -> literal("false", Boolean.FALSE);
            default -> whole();
        };
    }

    private Map<String, Object> members(int depth) throws UnreadException {
        Map<String, Object> members = new LinkedHashMap<>();
        at++;
        while (next() != '}') {
            separate(members.isEmpty());
            expect('"');
            String name = string();
            expect(':');
            at++;
            if (members.put(name, value(depth + 1)) != null) {
                throw new UnreadException();
            }
        }
        at++;
        return members;
    }

    private List<Object> items(int depth) throws UnreadException {
        List<Object> items = new ArrayList<>();
        at++;
        while (next() != ']') {
            separate(items.isEmpty());
            items.add(value(depth + 1));
        }
        at++;
        return items;
    }

    private void separate(boolean first) throws UnreadException {
        if (!first) {
            expect(',');
            at++;
        }
    }

    private String string() throws UnreadException {
        StringBuilder content = new StringBuilder();
        at++;
        while (true) {
            char c = current();
            at++;
            if (c == '"') {
                return content.toString();
            }
            if (c < ' ') { // also at the end
                throw new UnreadException();
            }
            content.append(c == '\\' ? escaped() : c);
        }
    }

    private char escaped() throws UnreadException {
        char c = current();
        at++;
        return switch (c) {
            case '"', '\\', '/' -> c;
            case 'n' -> '\n';
            case 't' -> '\t';
            case 'u' -> unicode();
            default -> throw new UnreadException();
        };
    }

    private char unicode() throws UnreadException {
        int code = 0;
        for (int i = 0; i < 4; i++) {
            int digit = current() < 128 ? Character.digit(current(), 16) : -1;
            if (digit < 0) {
                throw new UnreadException();
            }
            code = code * 16 + digit;
            at++;
        }
        if (Character.isSurrogate((char) code)) {
            throw new UnreadException();
        }
        return (char) code;
    }

    private Boolean literal(String word, Boolean value) throws UnreadException {
        if (!text.startsWith(word, at)) {
            throw new UnreadException();
        }
        at += word.length();
        return value;
    }

    private Whole whole() throws UnreadException {
        int start = at;
        if (current() == '-') {
            at++;
        }
        int first = at;
        while (current() >= '0' && current() <= '9') {
            at++;
        }
        int digits = at - first;
        boolean zeroFirst = digits > 0 && text.charAt(first) == '0';
        boolean fraction = current() == '.' || current() == 'e' || current() == 'E';
        if (digits == 0 || digits > MOST_DIGITS || fraction || (zeroFirst && at - start > 1)) {
            throw new UnreadException();
        }
        return new Whole(text.substring(start, at));
    }

    private void expect(char c) throws UnreadException {
        if (next() != c) {
            throw new UnreadException();
        }
    }

    /** Skips white space and returns the next character; 0 at the end. */
    private char next() {
        while (current() == ' ' || current() == '\t' || current() == '\n' || current() == '\r') {
            at++;
        }
        return current();
    }

    private char current() {
        return at < text.length() ? text.charAt(at) : 0;
    }

    /** Writes a value that {@link #read} can read. */
    public static void write(Object value, StringBuilder out) {
        if (value instanceof Map<?, ?> members) {
            char before = '{';
            for (Map.Entry<?, ?> member : members.entrySet()) {
                out.append(before);
                quote(String.valueOf(member.getKey()), out);
                out.append(':');
                write(member.getValue(), out);
                before = ',';
            }
            out.append(members.isEmpty() ? "{}" : "}");
        } else if (value instanceof List<?> items) {
            char before = '[';
            for (Object item : items) {
                out.append(before);
                write(item, out);
                before = ',';
            }
            out.append(items.isEmpty() ? "[]" : "]");
        } else if (value instanceof String string) {
            quote(string, out);
        } else {
            out.append(value instanceof Whole whole ? whole.digits() : value.toString());
        }
    }

    private static void quote(String string, StringBuilder out) {
        out.append('"');
        for (int i = 0; i < string.length(); i++) {
            char c = string.charAt(i);
            switch (c) {
                case '"', '\\' -> out.append('\\').append(c);
                case '\n' -> out.append("\\n");
                default -> {
                    if (c < ' ') {
                        out.append(c < 16 ? "\\u000" : "\\u00").append(Integer.toHexString(c));
                    } else {
                        out.append(c);
                    }
                }
            }
        }
        out.append('"');
    }
}
