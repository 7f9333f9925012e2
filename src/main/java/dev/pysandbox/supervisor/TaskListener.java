package dev.pysandbox.supervisor;

import java.io.OutputStream;

/** Receives what a task sends while it runs, from the thread that reads it. */
public interface TaskListener {
    /** Which of a task's streams. */
    enum Stream {
        STDOUT,
        STDERR
    }

    /** Output of the task: the first {@code length} bytes of the array, which is only valid during the call. */
    void output(Stream stream, byte[] bytes, int length);

    /** One of the variables that were asked for, as JSON: {@code {"value": …}}, {@code {"unknown": true}}. */
    default void variable(String name, byte[] json) {}

    /** Nothing of the task runs any more; what it left follows. */
    default void over() {}

    /** A file of the working folder that is new or changed. */
    default void file(String name, byte[] content) {}

    /** The same, too large to be held in memory, if {@link Task#keep} asks for such: gives where its content goes. */
    default OutputStream largeFile(String name, long size) {
        return OutputStream.nullOutputStream();
    }

    /** A file of the working folder that is too large, or one too many, to be sent. */
    default void fileNotSent(String name, long size) {}
}
