package dev.pysandbox.cli.terminal;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import picocli.CommandLine.Help.Ansi;

/**
 * The streams of one invocation, and what they lead to.
 *
 * @param outIsTerminal whether a person reads what is written to {@code out}
 * @param colours whether colours are wanted there
 */
public record Terminal(
        InputStream in,
        PrintStream out,
        PrintStream err,
        boolean outIsTerminal,
        boolean errIsTerminal,
        boolean colours) {

    /** Those of this process. */
    public static Terminal ofProcess(
            InputStream in, PrintStream out, PrintStream err, Map<String, String> environment) {
        boolean terminal = isTerminal(1);
        boolean plain = !environment.getOrDefault("NO_COLOR", "").isEmpty()
                || environment.getOrDefault("TERM", "dumb").equals("dumb");
        return new Terminal(in, out, err, terminal, isTerminal(2), terminal && !plain);
    }

    /** Streams that lead into memory or a pipe. */
    public static Terminal plain(InputStream in, PrintStream out, PrintStream err) {
        return new Terminal(in, out, err, false, false, false);
    }

    /** Java itself only knows whether stdin and stdout both are one; picocli goes by that, in each version of Java. */
    private static boolean isTerminal(int descriptor) {
        try {
            String target = Files.readSymbolicLink(Path.of("/proc/self/fd/" + descriptor))
                    .toString();
            return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty") || target.equals("/dev/console");
        } catch (IOException | UnsupportedOperationException e) {
            return Ansi.AUTO.enabled();
        }
    }
}
