package dev.pysandbox.support;

import java.io.IOException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Starts processes from one thread that lives as long as the program.
 *
 * <p>On Linux a process can ask to be killed when its parent dies, as {@code bwrap --die-with-parent} does, but the
 * kernel takes the thread that started it for the parent: started from a pooled thread, it dies with that thread.
 */
public final class Spawner {
    private final ExecutorService thread = Executors.newSingleThreadExecutor(task -> {
        Thread spawner = new Thread(task, "spawner");
        spawner.setDaemon(true);
        return spawner;
    });

    /** Starts the process; an interrupt of the calling thread is kept for later, so that no process is lost. */
    public Process start(ProcessBuilder builder) throws IOException {
        Future<Process> started = thread.submit(builder::start);
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return started.get();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } catch (ExecutionException e) {
            if (e.getCause() instanceof IOException refused) {
                throw refused;
            }
            throw new IOException("the process could not be started: " + e.getCause(), e);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
