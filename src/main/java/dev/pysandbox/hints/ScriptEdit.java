package dev.pysandbox.hints;

import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The changes to a script that a hint can propose, in fixed phrases with JSON strings, so that a program can apply
 * them.
 */
final class ScriptEdit {
    private ScriptEdit() {}

    private static final Pattern ANY = Pattern.compile(
            "replace \"|put this line first: \"|leave out the lines that|keep only the|remove the first");

    /** Returns whether a hint proposes a change to the script. */
    static boolean isIn(String hint) {
        return ANY.matcher(hint).find();
    }

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

    /** For transcripts of an interactive interpreter. */
    static String keepOnly(String prompt, String continued) {
        return "keep only the lines that start with " + quoted(prompt) + " or " + quoted(continued)
                + ", without these characters";
    }

    static String dedent(int characters) {
        return "remove the first " + characters + " characters of every line";
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
