package dev.pysandbox.cli.terminal;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import picocli.CommandLine.Help.Ansi;

/**
 * The standard streams of a command.
 *
 * @param outIsTerminal whether {@code out} is a terminal
 * @param colours whether to use colours on {@code out}
 */
public record Terminal(
        InputStream in,
        PrintStream out,
        PrintStream err,
        boolean outIsTerminal,
        boolean errIsTerminal,
        boolean colours) {

    /**
     * Returns the streams of this process.
     *
     * @param slow whether to show on a terminal that a command starts, until its first output
     */
    public static Terminal ofProcess(
            InputStream in, PrintStream out, PrintStream err, Map<String, String> environment, boolean slow) {
        boolean terminal = isTerminal(1);
        boolean plain = !environment.getOrDefault("NO_COLOR", "").isEmpty()
                || environment.getOrDefault("TERM", "dumb").equals("dumb");
        boolean errIsTerminal = isTerminal(2);
        if (!slow || !errIsTerminal || plain) {
            return new Terminal(in, out, err, terminal, errIsTerminal, terminal && !plain);
        }
        StartLine line = new StartLine(err);
        line.show();
        return new Terminal(in, line.erasedBy(out), line.erasedBy(err), terminal, true, terminal);
    }

    /** Erases what is shown only until the first output. */
    public void end() {
        err.write(new byte[0], 0, 0);
    }

    /** Returns streams that are no terminals. */
    public static Terminal plain(InputStream in, PrintStream out, PrintStream err) {
        return new Terminal(in, out, err, false, false, false);
    }

    /** Returns whether stdin is a terminal; where /proc is missing, it is unknown and false. */
    public static boolean readsFromTerminal() {
        return isTerminal(0, false);
    }

    private static boolean isTerminal(int descriptor) {
        return isTerminal(descriptor, true);
    }

    /** Tests a descriptor through /proc: Java only knows whether stdin and stdout are both terminals. */
    private static boolean isTerminal(int descriptor, boolean guesses) {
        try {
            String target = Files.readSymbolicLink(Path.of("/proc/self/fd/" + descriptor))
                    .toString();
            return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty") || target.equals("/dev/terminal");
        } catch (IOException | UnsupportedOperationException e) {
            return guesses && Ansi.AUTO.enabled();
        }
    }
}
