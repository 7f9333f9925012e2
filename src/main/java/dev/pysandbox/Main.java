package dev.pysandbox;

import java.io.InputStream;
import java.io.PrintStream;
import java.util.concurrent.atomic.AtomicInteger;

/** Entry of the executable JAR. */
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        PrintStream out = System.out;
        // Whatever a library prints must not end up between the protocol's lines.
        System.setOut(System.err);
        // An end by SIGTERM or SIGINT is a regular one; the JVM's own code for it would be 143 or 130.
        AtomicInteger status = new AtomicInteger();
        Cleanup cleanup = new Cleanup();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            cleanup.run();
            Runtime.getRuntime().halt(status.get());
        }));
        status.set(run(args, new Console(System.in, out, System.err), cleanup));
        System.exit(status.get());
    }

    /** Does what the arguments say and returns the exit code. */
    static int run(String[] args, Console console, Cleanup cleanup) {
        return Commands.of(console, cleanup).execute(args);
    }

    /** The streams of one invocation. */
    record Console(InputStream in, PrintStream out, PrintStream err) {}
}
