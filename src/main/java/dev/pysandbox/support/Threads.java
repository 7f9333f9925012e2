package dev.pysandbox.support;

import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;

/** Starts and awaits threads. */
public final class Threads {
    private static final Duration TIME_TO_END = Duration.ofSeconds(5);

    private Threads() {}

    /** Returns a new thread that does not keep the program alive; it is not started. */
    public static Thread daemon(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        return thread;
    }

    /** Starts a new thread that does not keep the program alive. */
    public static Thread startDaemon(String name, Runnable work) {
        Thread thread = daemon(name, work);
        thread.start();
        return thread;
    }

    /** Starts a new thread that does not keep the program alive. */
    public static void startDaemon(Runnable work) {
        startDaemon("background", work);
    }

    /** Waits for a result; an interrupt meanwhile takes effect after that. */
    public static <T> T await(Future<T> result) throws ExecutionException {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return result.get();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Waits until a thread ends, so that it can release resources outside of this process. */
    public static void awaitEnd(Thread thread) {
        awaitEnd(thread, TIME_TO_END);
    }

    /** Waits until a thread ends or the limit passes; an earlier interrupt takes effect after that. */
    public static void awaitEnd(Thread thread, Duration limit) {
        boolean interrupted = Thread.interrupted();
        try {
            thread.join(limit.toMillis());
        } catch (InterruptedException e) {
            interrupted = true;
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
