package dev.pysandbox.supervisor;

/** Receives what a task sends while it runs, from the thread that reads it. */
public interface Report {
    /** Which of a task's streams. */
    enum Stream {
        STDOUT,
        STDERR
    }

    /** Bytes that the task wrote, as they come: so many of the array's first, only valid during the call. */
    void output(Stream stream, byte[] bytes, int length);

    /** One of the variables that were asked for, as JSON: {@code {"value": …}}, {@code {"unknown": true}}. */
    default void variable(String name, byte[] json) {}

    /** A file of the working folder that is new or changed. */
    default void file(String name, byte[] content) {}

    /** A file of the working folder that is too large, or one too many, to be sent. */
    default void fileNotSent(String name, long size) {}
}
