package dev.pysandbox.cli;

import dev.pysandbox.api.Config;
import dev.pysandbox.cli.terminal.Terminal;
import dev.pysandbox.mcp.stdio.StdioServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * The main class of the JVM that writes a {@link dev.pysandbox.cli.launcher.ClassArchive}: loads what a server needs
 * for its first call and what {@code run} needs, by doing both.
 */
final class ArchiveTraining {
    private static final String REQUESTS = """
            {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{}}}
            {"jsonrpc":"2.0","method":"notifications/initialized"}
            {"jsonrpc":"2.0","id":2,"method":"tools/list","params":{}}
            {"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"execute_python","arguments":{"script":"print(1)"}}}
            """;

    private static final int RESPONSES = 3;
    private static final int SECONDS_TO_RESPOND = 60;

    private ArchiveTraining() {}

    /** Returns the options with which to train for a configuration. */
    static List<String> options(Config config) {
        return List.of(
                "--cache-dir=" + config.cache().folder().toAbsolutePath(),
                "--sandbox-backend=" + config.sandbox().backend().label(),
                "--python-version=" + config.install().pythonVersion());
    }

    public static void main(String[] options) throws IOException, InterruptedException {
        System.setOut(System.err);
        System.setProperty("java.awt.headless", "true");
        List<String> run = new ArrayList<>(List.of("run"));
        run.addAll(List.of(options));
        run.add("print(1)");
        List<String> serve = new ArrayList<>(List.of(options));
        serve.add("--no-warm-cache");
        serve(FastPathArguments.of(serve.toArray(String[]::new), Set.of()).orElseThrow());
        ShutdownHook hook = new ShutdownHook();
        Main.run(run.toArray(String[]::new), Terminal.plain(InputStream.nullInputStream(), nowhere(), nowhere()), hook);
        hook.run();
    }

    private static void serve(FastPathArguments arguments) throws IOException, InterruptedException {
        ShutdownHook hook = new ShutdownHook();
        Responses responses = new Responses();
        try (PipedOutputStream requests = new PipedOutputStream()) {
            Terminal terminal = Terminal.plain(
                    new PipedInputStream(requests, 1 << 16),
                    new PrintStream(responses, true, StandardCharsets.UTF_8),
                    nowhere());
            StdioServer server = new StdioServer(
                    () -> ServeCommand.open(arguments, terminal, hook),
                    List.of(),
                    false,
                    terminal.in(),
                    terminal.out());
            requests.write(REQUESTS.getBytes(StandardCharsets.UTF_8));
            Thread serving = new Thread(server::run);
            serving.start();
            boolean ignored = responses.lines.await(SECONDS_TO_RESPOND, TimeUnit.SECONDS);
            server.stop();
            serving.join();
        } finally {
            hook.run();
        }
    }

    private static PrintStream nowhere() {
        return new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
    }

    /** Discards the responses and counts their lines. */
    private static final class Responses extends OutputStream {
        private final CountDownLatch lines = new CountDownLatch(RESPONSES);

        @Override
        public void write(int b) {
            if (b == '\n') {
                lines.countDown();
            }
        }
    }
}
