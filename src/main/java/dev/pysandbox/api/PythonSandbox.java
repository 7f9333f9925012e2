package dev.pysandbox.api;

import dev.pysandbox.execution.LocalPythonSandbox;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/** Runs Python scripts with their dependencies, each in a separate sandbox. Safe for use by many threads. */
public interface PythonSandbox extends AutoCloseable {
    /** Returns a builder with the default settings. */
    static PythonSandboxBuilder builder() {
        return new PythonSandboxBuilder();
    }

    /** Opens one; slow steps are done when they are first needed. */
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
     * Runs a script and applies a function to its result while the script still occupies its slot. Results may hold large
     * files: so no more of them are in memory at once than scripts may run at once.
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
     * Tests what this machine offers, also from inside a sandbox.
     *
     * @throws java.util.concurrent.CancellationException if the thread is interrupted or the sandbox closed
     */
    default EnvironmentReport check() {
        return check(message -> {});
    }

    /** Tests what this machine offers and reports each slow step. */
    EnvironmentReport check(Consumer<String> progress);

    /**
     * Downloads what scripts often need: uv, a Python, common packages.
     *
     * @param progress receives a message for each step
     * @return the reason, if that failed
     */
    Optional<String> warm(Consumer<String> progress);

    /** Does the same later, at low priority while no script runs, unless the settings turn it off. */
    void warmInBackground();

    /** Starts to keep sandboxes ready for the next scripts, in the background. */
    void keepWarm();

    /** Waits until the first sandbox is ready. */
    void awaitWarm() throws InterruptedException;

    /** The folders of the host that scripts find under /data, such as {@code /data/sales (read-only)}. */
    List<String> dataFolders();

    /** Whether the files that scripts write are kept. */
    boolean keepsFiles();

    /** Kills the scripts that still run and removes all temporary files. */
    @Override
    void close();
}
