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

    /** Returns the streams of this process. */
    public static Terminal ofProcess(
            InputStream in, PrintStream out, PrintStream err, Map<String, String> environment) {
        boolean terminal = isTerminal(1);
        boolean plain = !environment.getOrDefault("NO_COLOR", "").isEmpty()
                || environment.getOrDefault("TERM", "dumb").equals("dumb");
        return new Terminal(in, out, err, terminal, isTerminal(2), terminal && !plain);
    }

    /** Returns streams that are no terminals. */
    public static Terminal plain(InputStream in, PrintStream out, PrintStream err) {
        return new Terminal(in, out, err, false, false, false);
    }

    /** Tests a descriptor through /proc: Java only knows whether stdin and stdout are both terminals. */
    private static boolean isTerminal(int descriptor) {
        try {
            String target = Files.readSymbolicLink(Path.of("/proc/self/fd/" + descriptor))
                    .toString();
            return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty") || target.equals("/dev/terminal");
        } catch (IOException | UnsupportedOperationException e) {
            return Ansi.AUTO.enabled();
        }
    }
}
