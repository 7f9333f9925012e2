package dev.pysandbox;

import dev.pysandbox.run.Config;
import dev.pysandbox.run.PythonSandbox;
import java.io.IOException;

/** What every command has at hand: its streams, the shared options, and what to do at the end. */
record Invocation(Console console, Cleanup cleanup, SandboxOptions options) {
    /** As shells have it for a death by SIGINT. */
    static final int STOPPED = 130;

    /** A sandbox that is closed when the program ends. */
    PythonSandbox open(Config config, int statusWhenStopped) throws IOException {
        PythonSandbox sandbox = PythonSandbox.open(config);
        cleanup.register(sandbox, statusWhenStopped);
        return sandbox;
    }
}
