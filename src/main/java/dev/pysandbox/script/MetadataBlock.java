package dev.pysandbox.script;

import java.util.ArrayList;
import java.util.List;

/**
 * A block of PEP 723 metadata: comment lines between {@code # /// type} and {@code # ///}.
 *
 * @param line the opening line's number
 * @param comments the lines between, unchanged, each with its line feed
 */
record MetadataBlock(String type, int line, String comments) {
    private static final String OPENING = "# /// ";
    private static final String CLOSING = "# ///";

    /** The line ends of Python's {@code str.splitlines}, which the reference implementation uses. */
    private static final String LINE_BREAKS = "\n\u000b\f\u001c\u001d\u001e\u0085\u2028\u2029";

    /** A line that opens a block without an end, and the last comment line after it. */
    record Unclosed(String type, int line, int lastLine) {}

    /** All blocks of a script, and the openings without an end. */
    record Found(List<MetadataBlock> blocks, List<Unclosed> unclosed) {}

    /**
     * Finds what the regular expression of the reference implementation finds. That expression is greedy, so in each
     * run of comment lines only the first opening and the last closing can match.
     */
    static Found find(String text) {
        Found found = new Found(new ArrayList<>(), new ArrayList<>());
        Run run = new Run(text);
        int number = 1;
        for (int start = 0; start <= text.length(); number++) {
            int feed = text.indexOf('\n', start);
            int end = feed < 0 ? text.length() : feed;
            if (isComment(text, start, end)) {
                run.add(number, start, end);
            } else {
                run.finish(number - 1, found);
                run = new Run(text);
            }
            start = end + 1;
        }
        run.finish(number - 1, found);
        return found;
    }

    private static boolean isComment(String text, int start, int end) {
        return text.startsWith("#", start) && (end == start + 1 || text.charAt(start + 1) == ' ');
    }

    /** Returns the content without the comment signs. */
    String content() {
        StringBuilder content = new StringBuilder(comments.length());
        for (int start = 0; start < comments.length(); ) {
            int end = start;
            while (LINE_BREAKS.indexOf(comments.charAt(end)) < 0) {
                end++;
            }
            content.append(comments, start + (comments.startsWith("# ", start) ? 2 : 1), end + 1);
            start = end + 1;
        }
        return content.toString();
    }

    /** Consecutive comment lines. */
    private static final class Run {
        private final String text;
        private String type = "";
        private int openingLine;
        private int contentStart;
        private int closingLine;
        private int closingStart;

        Run(String text) {
            this.text = text;
        }

        void add(int number, int start, int end) {
            if (type.isEmpty()) {
                type = openedType(start, end);
                openingLine = number;
                contentStart = end + 1;
            } else if (text.startsWith(CLOSING, start) && end == start + CLOSING.length()) {
                closingLine = number;
                closingStart = start;
            }
        }

        private String openedType(int start, int end) {
            if (!text.startsWith(OPENING, start)) {
                return "";
            }
            String word = text.substring(start + OPENING.length(), end);
            return word.chars().allMatch(c -> Cursor.isLetterOrDigit(c) || c == '-') ? word : "";
        }

        void finish(int lastLine, Found found) {
            if (closingLine > openingLine + 1) {
                found.blocks.add(new MetadataBlock(type, openingLine, text.substring(contentStart, closingStart)));
            } else if (!type.isEmpty() && closingLine == 0) {
                found.unclosed.add(new Unclosed(type, openingLine, lastLine));
            }
        }
    }
}
