package dev.pysandbox.environment;

import dev.pysandbox.support.Threads;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * Runs installations, each on its own thread, so that an interrupt frees the caller at once: the work is interrupted too,
 * and removes what it has made in the background.
 */
final class DetachableWork implements AutoCloseable {
    private final Set<Thread> threads = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    /** What is done on the thread. */
    interface Work<T> {
        T run() throws IOException, InstallException, InterruptedException;
    }

    /** Runs the work and waits for its result; an interrupt ends the waiting, and soon after that the work. */
    <T> T run(Work<T> work) throws IOException, InstallException, InterruptedException {
        FutureTask<T> task = new FutureTask<>(work::run);
        Thread thread = Threads.daemon("installation", () -> {
            task.run();
            threads.remove(Thread.currentThread());
        });
        threads.add(thread);
        if (closed) { // asked after the thread is known to close
            throw new InterruptedException("closed");
        }
        thread.start();
        try {
            return task.get();
        } catch (InterruptedException e) {
            thread.interrupt();
            throw e;
        } catch (ExecutionException e) {
            throw rethrown(e);
        }
    }

    private static IllegalStateException rethrown(ExecutionException failure)
            throws IOException, InstallException, InterruptedException {
        Throwable cause = failure.getCause();
        if (cause instanceof IOException e) {
            throw e;
        }
        if (cause instanceof InstallException e) {
            throw e;
        }
        if (cause instanceof InterruptedException e) {
            throw e;
        }
        if (cause instanceof RuntimeException e) {
            throw e;
        }
        return new IllegalStateException(failure);
    }

    /** Interrupts what is being done and waits for its end. */
    @Override
    public void close() {
        closed = true;
        threads.forEach(Thread::interrupt);
        threads.forEach(Threads::awaitEnd);
    }
}
