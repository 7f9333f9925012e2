package dev.pysandbox.hints;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The changes to a script that a hint can propose, in fixed phrases with JSON strings, so that a program can apply
 * them.
 */
final class ScriptEdit {
    private ScriptEdit() {}

    static String replace(String old, String replacement) {
        return "replace " + quoted(old) + " with " + quoted(replacement);
    }

    static String replaceAll(Map<String, String> replacements) {
        return replacements.entrySet().stream()
                .map(each -> replace(each.getKey(), each.getValue()))
                .collect(Collectors.joining(", "));
    }

    static String putFirst(String line) {
        return "put this line first: " + quoted(line);
    }

    static String leaveOut(String start) {
        return "leave out the lines that start with " + quoted(start);
    }

    /** Quotes and cuts output of a script, so that it can't be mistaken for text of the hint. */
    static String quoted(String text, int most) {
        int end = text.offsetByCodePoints(0, Math.min(most, text.codePointCount(0, text.length())));
        return quoted(text.substring(0, end) + (end < text.length() ? "..." : ""));
    }

    static String quoted(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        text.codePoints().forEach(c -> {
            if (c == '"' || c == '\\') {
                quoted.append('\\').appendCodePoint(c);
            } else if ((c >= ' ' && c < 0x7f) || Character.isLetterOrDigit(c)) {
                quoted.appendCodePoint(c);
            } else {
                for (char unit : Character.toChars(c)) {
                    quoted.append(String.format("\\u%04x", (int) unit));
                }
            }
        });
        return quoted.append('"').toString();
    }

    static String quoted(List<String> texts) {
        return texts.stream().map(ScriptEdit::quoted).collect(Collectors.joining(", ", "[", "]"));
    }
}
