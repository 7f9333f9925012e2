package dev.pysandbox.cli.terminal;

import dev.pysandbox.api.ExecutionListener;
import dev.pysandbox.mcp.tools.ReportText;
import java.io.PrintStream;
import java.util.EnumMap;
import java.util.Map;

/**
 * Prints the output of a script while it runs, and on a terminal also the progress of its preparation. Output to a
 * terminal passes through a {@link TerminalFilter}; a pipe or file receives the bytes unchanged.
 */
public final class LiveOutput implements ExecutionListener {
    private static final String CLEAR_LINE = "\r\033[K";
    private static final int WIDTH = 78;

    private final Terminal terminal;
    private final boolean showsOutput;
    private final long most;
    private final Thread runner;
    private final Map<Stream, Long> written = new EnumMap<>(Stream.class);
    private final Map<Stream, TerminalFilter> filters = new EnumMap<>(Stream.class);
    private boolean progressShown;
    private volatile boolean broken;

    /**
     * @param most how many bytes of each stream are shown
     * @param runner the thread to interrupt when the output is closed by its reader
     */
    public LiveOutput(Terminal terminal, boolean showsOutput, long most, Thread runner) {
        this.terminal = terminal;
        this.showsOutput = showsOutput;
        this.most = most;
        this.runner = runner;
    }

    @Override
    public synchronized void progress(String message) {
        clearProgress();
        if (terminal.errIsTerminal() && !message.equals("running")) {
            String line = ReportText.line(message);
            terminal.err().print(line.substring(0, Math.min(WIDTH, line.length())));
            terminal.err().flush();
            progressShown = true;
        }
    }

    @Override
    public synchronized void output(Stream stream, byte[] bytes) {
        if (!showsOutput || broken) {
            return;
        }
        clearProgress();
        PrintStream target = stream == Stream.STDOUT ? terminal.out() : terminal.err();
        long before = written.merge(stream, (long) bytes.length, Long::sum) - bytes.length;
        int shown = shown(bytes, most - before);
        write(target, stream, bytes, shown);
        if (shown < bytes.length && before <= most) {
            written.put(stream, Long.MAX_VALUE / 2); // no further output, and no second message
            target.flush();
            terminal.err()
                    .println("\npython-sandbox: the rest of "
                            + (stream == Stream.STDOUT ? "stdout" : "stderr") + " is not shown: more than " + most
                            + " bytes");
        }
        // checkError flushes, too. A closed output, as after head, ends the script.
        if (target.checkError()) {
            broken = true;
            runner.interrupt();
        }
    }

    private void write(PrintStream target, Stream stream, byte[] bytes, int length) {
        if (stream == Stream.STDOUT ? terminal.outIsTerminal() : terminal.errIsTerminal()) {
            byte[] safe = filters.computeIfAbsent(stream, each -> new TerminalFilter())
                    .filter(bytes, length);
            target.write(safe, 0, safe.length);
        } else {
            target.write(bytes, 0, length);
        }
    }

    /** Ends the output of a run: clears the progress and resets colours. */
    public synchronized void finish() {
        clearProgress();
        filters.forEach((stream, filter) -> {
            PrintStream target = stream == Stream.STDOUT ? terminal.out() : terminal.err();
            byte[] rest = filter.end();
            target.write(rest, 0, rest.length);
            target.flush();
        });
    }

    @Override
    public boolean wantsLiveOutput() {
        return showsOutput;
    }

    public boolean broken() {
        return broken;
    }

    private void clearProgress() {
        if (progressShown) {
            terminal.err().print(CLEAR_LINE);
            terminal.err().flush();
            progressShown = false;
        }
    }

    /** Returns the length of the longest prefix that fits and ends at a character boundary. */
    private static int shown(byte[] bytes, long room) {
        if (bytes.length <= room) {
            return bytes.length;
        }
        int end = (int) Math.max(0, room);
        while (end > 0 && (bytes[end] & 0xc0) == 0x80) {
            end--;
        }
        return end;
    }
}
