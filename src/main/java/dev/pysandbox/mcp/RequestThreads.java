package dev.pysandbox.mcp;

import dev.pysandbox.support.Threads;
import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

/** Runs each call on a separate thread, so that no call waits for another. */
final class RequestThreads {
    private final ExecutorService pool = Executors.newCachedThreadPool(daemon("mcp-call"));
    private final ScheduledThreadPoolExecutor ticker = new ScheduledThreadPoolExecutor(1, daemon("mcp-progress"));
    private final Set<PendingRequest> running = new HashSet<>();

    RequestThreads() {
        ticker.setRemoveOnCancelPolicy(true);
    }

    void start(PendingRequest call, Runnable work) {
        synchronized (running) {
            running.add(call);
        }
        try {
            pool.execute(() -> run(call, work));
        } catch (RuntimeException | Error e) { // no thread could be started
            ended(call);
            throw e;
        }
    }

    private void run(PendingRequest call, Runnable work) {
        Optional<Future<?>> ticks = call.progress().map(progress -> {
            long spacing = Progress.SPACING.toMillis();
            return ticker.scheduleWithFixedDelay(progress::tick, spacing, spacing, TimeUnit.MILLISECONDS);
        });
        try {
            call.run(work);
        } finally {
            ticks.ifPresent(task -> task.cancel(false));
            ended(call);
        }
    }

    private void ended(PendingRequest call) {
        synchronized (running) {
            running.remove(call);
            running.notifyAll();
        }
    }

    /**
     * Waits for calls to end within {@code grace}, interrupts the others, and waits for them within {@code patience}.
     */
    void finish(Duration grace, Duration patience) {
        await(grace);
        synchronized (running) {
            running.forEach(PendingRequest::interrupt);
        }
        await(patience);
        pool.shutdown();
        ticker.shutdownNow();
    }

    private void await(Duration limit) {
        long end = System.nanoTime() + limit.toNanos();
        synchronized (running) {
            long left = limit.toNanos();
            while (!running.isEmpty() && left > 0) {
                try {
                    TimeUnit.NANOSECONDS.timedWait(running, left);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    return;
                }
                left = end - System.nanoTime();
            }
        }
    }

    private static ThreadFactory daemon(String name) {
        return work -> Threads.daemon(name, work);
    }
}
