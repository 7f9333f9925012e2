package dev.pysandbox.support;

import java.io.IOException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Starts processes from one thread that lives as long as the program.
 *
 * <p>On Linux a process can be killed when its parent dies, as with {@code bwrap --die-with-parent}. The kernel treats
 * the thread that started the process as the parent: started from a pooled thread, the process dies with that thread.
 */
public final class Spawner {
    private final ExecutorService thread = Executors.newSingleThreadExecutor(task -> Threads.daemon("spawner", task));

    /** Starts the process. Keeps an interrupt of the calling thread pending, so that no process is lost. */
    public Process start(ProcessBuilder builder) throws IOException {
        try {
            return Threads.await(thread.submit(builder::start));
        } catch (ExecutionException e) {
            if (e.getCause() instanceof IOException refused) {
                throw refused;
            }
            throw new IOException("the process could not be started: " + e.getCause(), e);
        }
    }
}
