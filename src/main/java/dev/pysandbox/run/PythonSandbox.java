package dev.pysandbox.run;

import java.util.List;

/** Runs Python scripts with their dependencies in a throwaway sandbox; safe for use by many threads. */
@SuppressWarnings("DoNotCallSuggester")
public final class PythonSandbox implements AutoCloseable {

    /**
     * Runs one script and waits for its end. What the script does, and what keeps it from running, is part of the
     * result. Interrupting the calling thread kills the script at once and gives a result with {@link Status#CANCELLED}.
     */
    public ExecutionResult execute(ExecutionRequest request, ExecutionListener listener) {
        throw new UnsupportedOperationException();
    }

    /** Says whether a script could run, without running it. */
    public ValidationReport validate(String script, List<String> dependencies) {
        throw new UnsupportedOperationException();
    }

    /** Tries what this machine can do, inside the sandbox too. */
    public EnvironmentReport check() {
        throw new UnsupportedOperationException();
    }

    /** Kills what still runs and removes what was temporary. */
    @Override
    public void close() {}
}
