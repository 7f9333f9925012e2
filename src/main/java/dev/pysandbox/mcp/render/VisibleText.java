package dev.pysandbox.mcp.render;

import dev.pysandbox.support.HiddenCharacters;
import dev.pysandbox.support.OverwrittenLines;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Makes text of unknown origin safe to show: hidden characters other than newline and tab become escapes. */
public final class VisibleText {
    private VisibleText() {}

    public static String of(String text) {
        return visible(text, false);
    }

    /**
     * Does the same for the output of a script. Of a line that carriage returns overwrite, such as a progress bar, only
     * the last state is shown, as on a terminal.
     */
    static String stream(String text) {
        return of(OverwrittenLines.lastStates(text));
    }

    /** Does the same and replaces line ends, so that the result is one line. */
    public static String line(String text) {
        StringBuilder line = new StringBuilder(text.length());
        for (String part : of(text).strip().split("\n", -1)) {
            if (!part.isBlank()) {
                line.append(line.isEmpty() ? "" : " ").append(part.strip());
            }
        }
        return line.toString();
    }

    /** Returns a JSON value, or null, whose strings are safe to show; JSON itself escapes ASCII control characters. */
    static Object json(Object value) {
        if (value instanceof String text) {
            return visible(text, true);
        }
        if (value instanceof List<?> list) {
            return list.stream().map(VisibleText::json).toList();
        }
        if (value instanceof Map<?, ?> map) {
            Map<String, Object> members = new LinkedHashMap<>();
            map.forEach((name, member) -> members.put(visible(String.valueOf(name), true), json(member)));
            return members;
        }
        return value;
    }

    private static String visible(String text, boolean keepControls) {
        StringBuilder visible = new StringBuilder(text.length());
        int before = -1;
        for (int i = 0; i < text.length(); ) {
            int c = text.codePointAt(i);
            i += Character.charCount(c);
            if (c == '\n' || c == '\t' || (keepControls && c < ' ') || !HiddenCharacters.isHidden(c, before)) {
                visible.appendCodePoint(c);
            } else if (c != '\r' || i == text.length() || text.charAt(i) != '\n') {
                HiddenCharacters.escape(c, visible);
            }
            before = c;
        }
        return visible.toString();
    }
}
