package dev.pysandbox.cli;

import dev.pysandbox.cli.terminal.Terminal;
import dev.pysandbox.execution.LocalPythonSandbox;
import dev.pysandbox.mcp.stdio.StdioServer;
import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import java.util.Optional;
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
        // Images are scaled without a display, even if DISPLAY is set.
        System.setProperty("java.awt.headless", "true");
        AtomicInteger status = new AtomicInteger(STILL_RUNNING);
        ShutdownHook shutdownHook = new ShutdownHook();
        Runtime.getRuntime().addShutdownHook(new Thread() {
            @Override
            public void run() {
                // Read first: closing the sandbox makes running work fail, and that failure must not set the exit code.
                int own = status.get();
                shutdownHook.run();
                Runtime.getRuntime().halt(own == STILL_RUNNING ? shutdownHook.statusWhenStopped() : own);
            }
        });
        Optional<FastPathArguments> fast =
                FastPathArguments.of(args, System.getenv().keySet());
        if (fast.isPresent() && fast.get().script().isEmpty()) {
            Terminal terminal = Terminal.plain(System.in, out, System.err);
            ServeCommand.announceToPerson(terminal);
            Callable<LocalPythonSandbox> opening = new Callable<>() {
                @Override
                public LocalPythonSandbox call() throws IOException {
                    return ServeCommand.open(fast.get(), terminal, shutdownHook);
                }
            };
            new StdioServer(opening, List.of(), false, terminal.in(), terminal.out()).run();
            status.set(0);
        } else {
            Terminal terminal = Terminal.ofProcess(System.in, out, System.err, System.getenv(), opensSandbox(args));
            status.set(run(args, fast, terminal, shutdownHook));
            terminal.end();
        }
        System.exit(status.get());
    }

    /** Returns whether a command is named that opens a sandbox. */
    private static boolean opensSandbox(String[] args) {
        for (String arg : args) {
            if (arg.equals("run") || arg.equals("validate") || arg.equals("check") || arg.equals("warm")) {
                return true;
            }
        }
        return false;
    }

    /** Executes the command and returns the exit code. */
    static int run(String[] args, Terminal terminal, ShutdownHook shutdownHook) {
        return run(args, FastPathArguments.of(args, System.getenv().keySet()), terminal, shutdownHook);
    }

    private static int run(
            String[] args, Optional<FastPathArguments> fast, Terminal terminal, ShutdownHook shutdownHook) {
        if (fast.isPresent() && fast.get().script().isPresent()) {
            return RunCommand.run(fast.get(), terminal, shutdownHook);
        }
        return Commands.of(terminal, shutdownHook).execute(args);
    }
}
