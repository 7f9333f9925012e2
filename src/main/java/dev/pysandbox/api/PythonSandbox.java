package dev.pysandbox.api;

import dev.pysandbox.execution.LocalPythonSandbox;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Runs Python scripts with their dependencies, each in a separate sandbox. Safe for use by many threads.
 *
 * <p>The first request to a package index sets the system property {@code jdk.http.auth.tunneling.disabledSchemes} of
 * this JVM to the empty string, unless it is set. Without it the JDK sends no password to a proxy of the host, and it
 * has no setting for a single client.
 */
public interface PythonSandbox extends AutoCloseable {
    /** Returns a builder with the default settings. */
    static PythonSandboxBuilder builder() {
        return new PythonSandboxBuilder();
    }

    /** Opens a sandbox. Slow steps are delayed until they are needed. */
    static PythonSandbox open(Config config) throws IOException {
        return LocalPythonSandbox.open(config);
    }

    /**
     * Runs a script and waits until it ends. Everything the script does, and every reason why it can't run, is part of
     * the result. Interrupting the calling thread kills the script and returns a result with {@link Status#CANCELLED}.
     */
    default ExecutionResult execute(ExecutionRequest request) {
        return execute(request, ExecutionListener.NONE);
    }

    /** Runs a script and reports its progress and output while it runs. */
    default ExecutionResult execute(ExecutionRequest request, ExecutionListener listener) {
        return execute(request, listener, result -> result);
    }

    /**
     * Runs a script and applies a function to its result while the script still occupies its slot. Results may contain
     * large files, so the number of results in memory is limited to the number of scripts that run at once.
     */
    <T> T execute(ExecutionRequest request, ExecutionListener listener, Function<ExecutionResult, T> use);

    /**
     * Checks whether a script could run, without running it.
     *
     * @throws java.util.concurrent.CancellationException if the thread is interrupted or the sandbox closed
     */
    default ValidationReport validate(String script, List<String> dependencies) {
        return validate(script, dependencies, message -> {});
    }

    /** Checks a script and reports each slow step. */
    ValidationReport validate(String script, List<String> dependencies, Consumer<String> progress);

    /**
     * Tests what works on this machine, also from inside a sandbox.
     *
     * @throws java.util.concurrent.CancellationException if the thread is interrupted or the sandbox closed
     */
    default EnvironmentReport check() {
        return check(message -> {});
    }

    /** Tests what works on this machine and reports each slow step. */
    EnvironmentReport check(Consumer<String> progress);

    /**
     * Downloads what scripts often need: uv, a Python and common packages.
     *
     * @param progress receives a message for each step
     * @return why it failed; empty if it succeeded
     */
    Optional<String> warm(Consumer<String> progress);

    /** Kills the scripts that still run and removes all temporary files. */
    @Override
    void close();
}
