package dev.pysandbox.support;

import java.time.Duration;

/** Starts and joins threads. */
public final class Threads {
    private static final Duration TIME_TO_END = Duration.ofSeconds(5);

    private Threads() {}

    /** Runs work on a new daemon thread. */
    public static void startDaemon(Runnable work) {
        Thread thread = new Thread(work, "background");
        thread.setDaemon(true);
        thread.start();
    }

    /** Waits until a thread ends, so that it can release resources outside of this process. */
    public static void awaitEnd(Thread thread) {
        try {
            thread.join(TIME_TO_END.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
