package dev.pysandbox.environment;

import dev.pysandbox.support.Threads;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs delayed tasks on one background thread. Their errors are logged: no call depends on them. */
public final class BackgroundTasks implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(BackgroundTasks.class);
    private static final Duration TIME_TO_STOP = Duration.ofSeconds(5);

    /** A task that can be delayed. */
    public interface Work {
        void run() throws IOException, InterruptedException;
    }

    private final ScheduledThreadPoolExecutor thread =
            new ScheduledThreadPoolExecutor(1, task -> Threads.daemon("background-tasks", task));

    public BackgroundTasks() {
        thread.setKeepAliveTime(10, TimeUnit.SECONDS);
        thread.allowCoreThreadTimeOut(true);
        thread.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    public void later(String name, Duration delay, Work work) {
        try {
            var unused = thread.schedule(() -> attempt(name, work), delay.toMillis(), TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            log.debug("shutting down, skipped: {}", name);
        }
    }

    private static void attempt(String name, Work work) {
        try {
            work.run();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException | RuntimeException e) {
            log.info("{}: {}", name, e.toString());
        }
    }

    /** Interrupts the running task and waits until it ends. */
    @Override
    public void close() {
        thread.shutdownNow();
        try {
            if (!thread.awaitTermination(TIME_TO_STOP.toMillis(), TimeUnit.MILLISECONDS)) {
                log.warn("a background task did not end within {} s", TIME_TO_STOP.toSeconds());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
