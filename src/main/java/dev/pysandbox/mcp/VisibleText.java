package dev.pysandbox.mcp;

/** Text of unknown origin, made safe to show: control characters other than newline and tab become visible. */
final class VisibleText {
    private VisibleText() {}

    static String of(String text) {
        StringBuilder visible = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '\n' || c == '\t' || !Character.isISOControl(c)) {
                visible.append(c);
            } else if (c != '\r' || i + 1 == text.length() || text.charAt(i + 1) != '\n') {
                visible.append(String.format("\\x%02x", (int) c));
            }
        }
        return visible.toString();
    }

    /** The same in one line. */
    static String line(String text) {
        return of(text).strip().replaceAll("\\s*\\n\\s*", " ");
    }
}
