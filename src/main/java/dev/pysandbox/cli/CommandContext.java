package dev.pysandbox.cli;

import dev.pysandbox.api.Config;
import dev.pysandbox.api.PythonSandbox;
import dev.pysandbox.cli.terminal.Terminal;
import java.io.IOException;

/** What every command uses: its streams, the shared options, and the shutdown hook. */
record CommandContext(Terminal console, ShutdownHook cleanup, SandboxOptions options) {
    /** As shells have it for a death by SIGINT. */
    static final int STOPPED = 130;

    /** A sandbox that is closed when the program ends. */
    PythonSandbox open(Config config, int statusWhenStopped) throws IOException {
        PythonSandbox sandbox = PythonSandbox.open(config);
        cleanup.register(sandbox, statusWhenStopped);
        return sandbox;
    }
}
