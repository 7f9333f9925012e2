package dev.pysandbox.mcp.http;

import dev.pysandbox.support.Threads;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor.DiscardPolicy;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The threads that read requests and write responses, and a clock that interrupts slow ones.
 *
 * <p>An interrupt closes the connection on which a thread waits.
 */
final class HttpThreads implements Executor, AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(HttpThreads.class);

    /** Before this version a virtual thread that waits for a connection of the JDK's server blocks its carrier. */
    private static final int VIRTUAL_THREADS_SINCE = 24;

    /** The time limit of the header that this thread reads. */
    private static final ThreadLocal<TimeLimit> HEADER_LIMIT = new ThreadLocal<>();

    private final Duration headerTime;
    private final ExecutorService pool = pool();
    private final ScheduledThreadPoolExecutor clock =
            new ScheduledThreadPoolExecutor(1, work -> Threads.daemon("http-clock", work), new DiscardPolicy());

    /** @param headerTime the time to read the header of a request */
    HttpThreads(Duration headerTime) {
        this.headerTime = headerTime;
        clock.setRemoveOnCancelPolicy(true);
    }

    private static ExecutorService pool() {
        if (Runtime.version().feature() >= VIRTUAL_THREADS_SINCE) {
            try {
                return (ExecutorService) Executors.class
                        .getMethod("newVirtualThreadPerTaskExecutor")
                        .invoke(null);
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException(e);
            }
        }
        return Executors.newCachedThreadPool(work -> Threads.daemon("http", work));
    }

    /** Runs an exchange of the JDK's server, which reads the header and calls the handler. */
    @Override
    public void execute(Runnable exchange) {
        pool.execute(() -> {
            try (TimeLimit limit = limit(headerTime)) {
                HEADER_LIMIT.set(limit);
                exchange.run();
            } finally {
                HEADER_LIMIT.remove();
            }
        });
    }

    /** Ends the time limit of the header; the handler calls it first. */
    void headerIsRead() {
        HEADER_LIMIT.get().close();
    }

    void start(Runnable work) {
        pool.execute(work);
    }

    /** Runs the work after a while, on a thread that may wait. */
    Future<?> startAfter(Duration delay, Runnable work) {
        return clock.schedule(() -> pool.execute(work), delay.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Runs the work again and again; it must not wait. */
    void repeat(Duration interval, Runnable work) {
        long millis = interval.toMillis();
        Future<?> ignored = clock.scheduleWithFixedDelay(
                () -> {
                    try {
                        work.run();
                    } catch (RuntimeException | Error e) { // no thread could be started: tried again next time
                        log.warn("{}", e.toString());
                    }
                },
                millis,
                millis,
                TimeUnit.MILLISECONDS);
    }

    /** Interrupts this thread after a while, unless the limit is closed before. */
    TimeLimit limit(Duration time) {
        return new TimeLimit(time);
    }

    /** What waits for a client. */
    interface Exchanging {
        void run() throws IOException;
    }

    /** Sends or closes; a client that takes longer is disconnected. */
    void within(Duration time, Exchanging work) throws IOException {
        TimeLimit limit = limit(time);
        try {
            work.run();
        } finally {
            limit.close();
        }
    }

    /** Ends all time limits; the other threads end when they have had no work for a minute. */
    @Override
    public void close() {
        clock.shutdownNow();
    }

    /** Interrupts the thread that created it after a while. */
    final class TimeLimit implements AutoCloseable {
        private final Thread thread = Thread.currentThread();
        private final Future<?> end;
        private boolean interrupted;
        private boolean closed;

        private TimeLimit(Duration time) {
            this.end = clock.schedule(this::interrupt, time.toMillis(), TimeUnit.MILLISECONDS);
        }

        private synchronized void interrupt() {
            if (!closed) {
                interrupted = true;
                thread.interrupt();
            }
        }

        @Override
        public synchronized void close() {
            end.cancel(false);
            if (interrupted && !closed) {
                boolean ignored = Thread.interrupted();
            }
            closed = true;
        }
    }
}
