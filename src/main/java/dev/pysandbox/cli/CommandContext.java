package dev.pysandbox.cli;

import dev.pysandbox.api.Config;
import dev.pysandbox.api.PythonSandbox;
import dev.pysandbox.cli.terminal.Terminal;
import java.io.IOException;

/** Streams, shared options and shutdown hook of a command. */
record CommandContext(Terminal console, ShutdownHook cleanup, SandboxOptions options) {
    /** The exit code that shells use after SIGINT. */
    static final int STOPPED = 130;

    /** Opens a sandbox that is closed when the program ends. */
    PythonSandbox open(Config config, int statusWhenStopped) throws IOException {
        PythonSandbox sandbox = PythonSandbox.open(config);
        cleanup.register(sandbox, statusWhenStopped);
        return sandbox;
    }
}
