package dev.pysandbox.support;

/** Reduces lines that carriage returns overwrite, such as progress bars, to what a terminal would still show. */
public final class OverwrittenLines {
    private OverwrittenLines() {}

    /** Returns the text with only the last state that is not empty of each line; line ends stay as they are. */
    public static String lastStates(String text) {
        if (text.indexOf('\r') < 0) {
            return text;
        }
        StringBuilder shown = new StringBuilder(text.length());
        for (int start = 0; start < text.length(); ) {
            int end = text.indexOf('\n', start);
            int next = end < 0 ? text.length() : end + 1;
            appendLastState(text, start, end < 0 ? next : end, shown);
            shown.append(text, end < 0 ? next : end, next);
            start = next;
        }
        return shown.toString();
    }

    private static void appendLastState(String text, int start, int end, StringBuilder to) {
        int stateEnd = end;
        while (stateEnd > start && text.charAt(stateEnd - 1) == '\r') {
            stateEnd--;
        }
        int stateStart = text.lastIndexOf('\r', stateEnd - 1) + 1;
        boolean overwritten = stateStart > start && stateEnd > start;
        to.append(text, overwritten ? stateStart : start, overwritten ? stateEnd : end);
    }
}
