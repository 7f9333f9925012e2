package dev.pysandbox.supervisor;

import dev.pysandbox.api.ExecutionListener;
import java.io.OutputStream;

/** Receives the output, variables and files of a task. Called on the thread that reads the frames. */
public interface TaskListener {
    /** Receives output: the first {@code length} bytes of the array, which is only valid during the call. */
    void output(ExecutionListener.Stream stream, byte[] bytes, int length);

    /** Receives a requested variable as JSON: {@code {"value": …}}, {@code {"unknown": true}}. */
    default void variable(String name, byte[] json) {}

    /** Receives the repr of the value of the script's last statement. */
    default void value(String repr) {}

    /** No process of the task runs any more. Its variables and files follow. */
    default void over() {}

    /** Receives a new or changed file of the working folder, or a figure. */
    default void file(String name, byte[] content) {}

    /**
     * Returns the stream for a file that is too large to be held in memory. Called only within the limit of {@link
     * Task#keep}.
     */
    default OutputStream largeFile(String name, long size) {
        return OutputStream.nullOutputStream();
    }

    /** Receives the name and size of a file that is not sent, because it is too large or there are too many. */
    default void fileNotSent(String name, long size) {}
}
