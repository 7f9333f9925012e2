package dev.pysandbox.api;

/** Receives the progress and the output of an execution. Called from several threads, possibly at the same time. */
public interface ExecutionListener {
    /** Ignores everything. */
    ExecutionListener NONE = new ExecutionListener() {};

    /** A stream of the script. */
    enum Stream {
        STDOUT,
        STDERR
    }

    /** Receives a short description of the current step, such as {@code installing 3 packages}. */
    default void progress(String message) {}

    /** Receives output of the script while it runs. Called only if {@link #wantsLiveOutput} is true. */
    default void output(Stream stream, byte[] bytes) {}

    /**
     * Returns whether the script flushes its output after each line, rather than when its buffer is full, and {@link
     * #output} receives it.
     */
    default boolean wantsLiveOutput() {
        return false;
    }
}
