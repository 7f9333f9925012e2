package dev.pysandbox.mcp.http;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.Queue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs the tasks of one response one after the other, so that no caller waits for the client to read. */
final class SerialTasks {
    private static final Logger log = LoggerFactory.getLogger(SerialTasks.class);

    private final HttpThreads threads;
    private final Duration limit;
    private final Queue<Runnable> waiting = new ArrayDeque<>();
    private boolean running;

    /** @param limit the time of one task; then its thread is interrupted */
    SerialTasks(HttpThreads threads, Duration limit) {
        this.threads = threads;
        this.limit = limit;
    }

    synchronized void add(Runnable task) {
        waiting.add(task);
        if (!running) {
            threads.start(this::runAll);
            running = true;
        }
    }

    /** Returns how many tasks have not begun. */
    synchronized int waiting() {
        return waiting.size();
    }

    private void runAll() {
        Optional<Runnable> task = next();
        while (task.isPresent()) {
            HttpThreads.TimeLimit end = threads.limit(limit);
            try {
                task.get().run();
            } catch (RuntimeException | Error e) { // the next tasks must run: they end the response
                log.error("A response could not be written", e);
            } finally {
                end.close();
            }
            task = next();
        }
    }

    private synchronized Optional<Runnable> next() {
        Optional<Runnable> task = Optional.ofNullable(waiting.poll());
        running = task.isPresent();
        return task;
    }
}
