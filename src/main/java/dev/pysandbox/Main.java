package dev.pysandbox;

import dev.pysandbox.mcp.PythonSandboxServer;
import dev.pysandbox.run.PythonSandbox;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Entry of the executable JAR.
 *
 * <p>What is done before the first answer is written without lambdas: the first one costs a client 30 ms.
 */
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        PrintStream out = System.out;
        // Whatever a library prints must not end up between the protocol's lines.
        System.setOut(System.err);
        // An end by SIGTERM or SIGINT is a regular one; the JVM's own code for it would be 143 or 130.
        AtomicInteger status = new AtomicInteger();
        Cleanup cleanup = new Cleanup();
        Runtime.getRuntime().addShutdownHook(new Thread() {
            @Override
            public void run() {
                cleanup.run();
                Runtime.getRuntime().halt(status.get());
            }
        });
        Console console = new Console(System.in, out, System.err);
        if (PlainStart.isCertain(args, System.getenv().keySet())) {
            // Picocli takes longer to load than some clients wait for the first answer.
            Callable<PythonSandbox> opening = new Callable<>() {
                @Override
                public PythonSandbox call() throws IOException {
                    return ServeCommand.open(args, console, cleanup);
                }
            };
            new PythonSandboxServer(opening, console.in(), console.out()).run();
        } else {
            status.set(run(args, console, cleanup));
        }
        System.exit(status.get());
    }

    /** Does what the arguments say and returns the exit code. */
    static int run(String[] args, Console console, Cleanup cleanup) {
        return Commands.of(console, cleanup).execute(args);
    }

    /** The streams of one invocation. */
    record Console(InputStream in, PrintStream out, PrintStream err) {}
}
