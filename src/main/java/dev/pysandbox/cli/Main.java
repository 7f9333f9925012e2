package dev.pysandbox.cli;

import dev.pysandbox.api.PythonSandbox;
import dev.pysandbox.cli.terminal.Terminal;
import dev.pysandbox.mcp.stdio.StdioServer;
import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The main class of the executable JAR.
 *
 * <p>Code that runs before the first response uses no lambda: the first lambda costs 30 ms.
 */
public final class Main {
    private static final int STILL_RUNNING = -1;

    private Main() {}

    public static void main(String[] args) {
        PrintStream out = System.out;
        // Output of libraries must not mix with the lines of the protocol.
        System.setOut(System.err);
        AtomicInteger status = new AtomicInteger(STILL_RUNNING);
        ShutdownHook cleanup = new ShutdownHook();
        Runtime.getRuntime().addShutdownHook(new Thread() {
            @Override
            public void run() {
                // Read first: closing the sandbox makes running work fail, and that failure must not set the exit code.
                int own = status.get();
                cleanup.run();
                Runtime.getRuntime().halt(own == STILL_RUNNING ? cleanup.statusWhenStopped() : own);
            }
        });
        if (FastPathArguments.isCertain(args, System.getenv().keySet())) {
            // Picocli takes longer to load than some clients wait for the first response.
            Terminal console = Terminal.plain(System.in, out, System.err);
            Callable<PythonSandbox> opening = new Callable<>() {
                @Override
                public PythonSandbox call() throws IOException {
                    return ServeCommand.open(args, console, cleanup);
                }
            };
            new StdioServer(opening, List.of(), false, console.in(), console.out()).run();
            status.set(0);
        } else {
            status.set(run(args, Terminal.ofProcess(System.in, out, System.err, System.getenv()), cleanup));
        }
        System.exit(status.get());
    }

    /** Executes the command and returns the exit code. */
    static int run(String[] args, Terminal console, ShutdownHook cleanup) {
        return Commands.of(console, cleanup).execute(args);
    }
}
