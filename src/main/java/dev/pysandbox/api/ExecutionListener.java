package dev.pysandbox.api;

/** Hears of a call while it goes on; called from several threads, one call at a time. */
public interface ExecutionListener {
    /** Hears nothing. */
    ExecutionListener NONE = new ExecutionListener() {};

    /** Which of the script's streams. */
    enum Stream {
        STDOUT,
        STDERR
    }

    /** What is going on now, in a few words, such as {@code installing 3 packages}. */
    default void progress(String message) {}

    /** Bytes that the script wrote, as they come; only for one that {@link #wantsLiveOutput}. */
    default void output(Stream stream, byte[] bytes) {}

    /** Whether output should come as it is written, line by line, rather than when the script's buffer is full. */
    default boolean wantsLiveOutput() {
        return false;
    }
}
