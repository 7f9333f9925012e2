package dev.pysandbox.script;

/** An error in a script or its dependencies that the caller can fix; the message says where, what and how. */
public final class InvalidScriptException extends Exception {
    private static final int QUOTED_LENGTH = 80;

    public InvalidScriptException(String message) {
        super(message);
    }

    /** Returns the same error with its place in the message. */
    InvalidScriptException at(String place) {
        InvalidScriptException placed = new InvalidScriptException(place + ": " + getMessage());
        placed.initCause(this);
        return placed;
    }

    /** Quotes any text as one short line for a message. */
    public static String quote(String text) {
        return "'" + oneLine(text, QUOTED_LENGTH) + "'";
    }

    /** Returns any text as one line; escapes invisible characters and cuts long text. */
    public static String oneLine(String text, int maxLength) {
        StringBuilder line = new StringBuilder();
        text.codePoints().limit(maxLength).forEach(c -> {
            if (isPlain(c)) {
                line.appendCodePoint(c);
            } else {
                line.append(escape(c));
            }
        });
        return text.codePointCount(0, Math.min(text.length(), 2 * maxLength + 2)) > maxLength
                ? line + "…"
                : line.toString();
    }

    static String escape(int codePoint) {
        return switch (codePoint) {
            case '\n' -> "\\n";
            case '\r' -> "\\r";
            case '\t' -> "\\t";
            default -> String.format(codePoint > 0xFFFF ? "\\U%08x" : "\\u%04x", codePoint);
        };
    }

    private static boolean isPlain(int codePoint) {
        return switch (Character.getType(codePoint)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.UNASSIGNED -> false;
            default -> true;
        };
    }
}
