package dev.pysandbox.environment;

import dev.pysandbox.environment.install.InstallException;
import dev.pysandbox.support.Threads;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * Runs each installation on a separate thread, so that an interrupted caller returns at once. The interrupt is passed
 * on to the installation, which then cleans up in the background.
 */
final class DetachableWork implements AutoCloseable {
    private final Set<Thread> threads = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    /** The work to run on the thread. */
    interface Work<T> {
        T run() throws IOException, InstallException, InterruptedException;
    }

    /** Runs the work and waits for its result. An interrupt ends the wait and interrupts the work. */
    <T> T run(Work<T> work) throws IOException, InstallException, InterruptedException {
        FutureTask<T> task = new FutureTask<>(work::run);
        Thread thread = Threads.daemon("installation", () -> {
            task.run();
            threads.remove(Thread.currentThread());
        });
        threads.add(thread);
        if (closed) { // checked after the thread is added, so that close sees it
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

    /** Interrupts all work and waits until it ends. */
    @Override
    public void close() {
        closed = true;
        threads.forEach(Thread::interrupt);
        threads.forEach(Threads::awaitEnd);
    }
}
