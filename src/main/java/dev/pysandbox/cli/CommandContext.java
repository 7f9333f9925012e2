package dev.pysandbox.cli;

import dev.pysandbox.api.Config;
import dev.pysandbox.cli.terminal.Terminal;
import dev.pysandbox.execution.LocalPythonSandbox;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** Streams, shared options and shutdown hook of a command. */
record CommandContext(Terminal terminal, ShutdownHook shutdownHook, SandboxOptions options) {
    /** The exit code that shells use after SIGINT. */
    static final int STOPPED = 130;

    /** Returns $HOME, which clients use; Java's user.home comes from the user's account and may differ. */
    static Path home() {
        String variable = Optional.ofNullable(System.getenv("HOME")).orElse("");
        return Path.of(variable.startsWith("/") ? variable : System.getProperty("user.home", ""));
    }

    /** Opens a sandbox that is closed when the program ends. */
    LocalPythonSandbox open(Config config, int statusWhenStopped) throws IOException {
        LocalPythonSandbox sandbox = LocalPythonSandbox.open(config);
        shutdownHook.register(sandbox, statusWhenStopped);
        return sandbox;
    }
}
