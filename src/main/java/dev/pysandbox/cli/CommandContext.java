package dev.pysandbox.cli;

import dev.pysandbox.api.Config;
import dev.pysandbox.cli.terminal.Terminal;
import dev.pysandbox.execution.LocalPythonSandbox;
import java.io.IOException;

/** Streams, shared options and shutdown hook of a command. */
record CommandContext(Terminal terminal, ShutdownHook shutdownHook, SandboxOptions options) {
    /** The exit code that shells use after SIGINT. */
    static final int STOPPED = 130;

    /** Opens a sandbox that is closed when the program ends. */
    LocalPythonSandbox open(Config config, int statusWhenStopped) throws IOException {
        LocalPythonSandbox sandbox = LocalPythonSandbox.open(config);
        shutdownHook.register(sandbox, statusWhenStopped);
        return sandbox;
    }
}
