package dev.pysandbox.cli.terminal;

import java.io.PrintStream;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Shows progress: a bar on a terminal, else a line for each step. */
public final class ProgressBar {
    private static final Pattern STEP = Pattern.compile("(\\d{1,6})/(\\d{1,6}) (.*)");
    private static final int WIDTH = 30;
    private static final int LONGEST = 40;
    private static final String CLEAR_LINE = "\r\033[K";

    private final PrintStream out;
    private final boolean terminal;
    private String bar = "";

    public ProgressBar(PrintStream out, boolean terminal) {
        this.out = out;
        this.terminal = terminal;
    }

    /** Shows a step: {@code 3/16 numpy} moves the bar, other text is shown beside it. */
    public synchronized void show(String message) {
        if (!terminal) {
            out.println(message);
            return;
        }
        String text = message;
        Matcher step = STEP.matcher(message);
        if (step.matches()) {
            long total = Math.max(1, Long.parseLong(step.group(2)));
            int full = (int) Math.min(WIDTH, WIDTH * (Long.parseLong(step.group(1)) - 1) / total);
            bar = "[" + "#".repeat(full) + ".".repeat(WIDTH - full) + "] " + step.group(1) + "/" + total + " ";
            text = step.group(3);
        }
        out.print(CLEAR_LINE + bar + text.substring(0, Math.min(LONGEST, text.length())));
        out.flush();
    }

    public synchronized void end() {
        if (terminal) {
            out.print(CLEAR_LINE);
            out.flush();
        }
    }
}
