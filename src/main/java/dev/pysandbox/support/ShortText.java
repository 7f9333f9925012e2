package dev.pysandbox.support;

/** Shortens text for messages. */
public final class ShortText {
    private ShortText() {}

    /** Returns the start of a text, followed by {@code …} if the text is longer. */
    public static String start(String text, int most) {
        if (text.length() <= most) {
            return text;
        }
        int end = Character.isHighSurrogate(text.charAt(most - 1)) ? most - 1 : most;
        return text.substring(0, end) + "…";
    }

    /** Returns the start of a text as one line: line ends, tabs and hidden characters are written as escapes. */
    public static String line(String text, int most) {
        StringBuilder line = new StringBuilder();
        int[] codePoints = start(text, most).codePoints().toArray();
        for (int i = 0; i < codePoints.length; i++) {
            if (HiddenCharacters.isHidden(codePoints[i], i == 0 ? -1 : codePoints[i - 1])) {
                line.append(escape(codePoints[i]));
            } else {
                line.appendCodePoint(codePoints[i]);
            }
        }
        return line.toString();
    }

    /** Returns a character as an escape of Python, such as {@code \n} or {@code \x1b}. */
    public static String escape(int codePoint) {
        return switch (codePoint) {
            case '\n' -> "\\n";
            case '\r' -> "\\r";
            case '\t' -> "\\t";
            default -> {
                StringBuilder escape = new StringBuilder();
                HiddenCharacters.escape(codePoint, escape);
                yield escape.toString();
            }
        };
    }
}
