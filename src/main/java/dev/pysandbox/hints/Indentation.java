package dev.pysandbox.hints;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;

/** The indentation of a script that mixes tabs and spaces. */
record Indentation(String text) {
    /** From the most usual, which is used if the text does not tell. */
    private static final List<Integer> WIDTHS = List.of(4, 8, 2);

    /** Returns how many spaces a tab stands for: with that number the fewest lines are indented wrongly. */
    int tabWidth() {
        return WIDTHS.stream().min(Comparator.comparingInt(this::wrongLines)).orElse(4);
    }

    /** Counts the lines that do not begin where a block does; those inside brackets count the same for any width. */
    private int wrongLines(int width) {
        Deque<Integer> blocks = new ArrayDeque<>(List.of(0));
        boolean opens = false;
        int wrong = 0;
        for (String line : text.lines().toList()) {
            String code = line.strip();
            if (code.isEmpty() || code.startsWith("#")) {
                continue;
            }
            int column = column(line, width);
            boolean deeper = column > blocks.getFirst();
            if (deeper) {
                blocks.push(column);
            }
            while (column < blocks.getFirst()) {
                blocks.pop();
            }
            if (deeper != opens || column != blocks.getFirst()) {
                wrong++;
            }
            opens = code.endsWith(":");
        }
        return wrong;
    }

    private static int column(String line, int width) {
        int column = 0;
        for (int i = 0; i < line.length() && (line.charAt(i) == ' ' || line.charAt(i) == '\t'); i++) {
            column += line.charAt(i) == '\t' ? width : 1;
        }
        return column;
    }
}
