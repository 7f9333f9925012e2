package dev.pysandbox.support;

import java.time.Duration;

/** What is done with threads of our own. */
public final class Threads {
    private static final Duration TIME_TO_END = Duration.ofSeconds(5);

    private Threads() {}

    /** Runs something on a new thread that does not keep the program alive. */
    public static void startDaemon(Runnable work) {
        Thread thread = new Thread(work, "background");
        thread.setDaemon(true);
        thread.start();
    }

    /** Waits for a thread that was told to end; what it holds outside of this process would stay. */
    public static void awaitEnd(Thread thread) {
        try {
            thread.join(TIME_TO_END.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
