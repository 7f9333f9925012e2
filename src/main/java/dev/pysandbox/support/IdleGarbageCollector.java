package dev.pysandbox.support;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Keeps the heap of a server small.
 *
 * <p>By default the JVM lets garbage fill a large part of the machine's memory before it collects. This class runs a
 * collection when much garbage has accumulated, and when the server becomes idle.
 */
public final class IdleGarbageCollector {
    private static final long GROWTH = 12L << 20;
    private static final Duration QUIET = Duration.ofSeconds(8);

    private final AtomicBoolean watching = new AtomicBoolean();
    private volatile long lastCall;
    private volatile long kept;

    /** Must be called after each call, and after other work that leaves garbage. */
    public void afterCall() {
        lastCall = System.nanoTime();
        if (watching.compareAndSet(false, true)) {
            try {
                Threads.startDaemon("idle-garbage-collector", this::watch);
            } catch (OutOfMemoryError e) { // no thread now; the next call tries again
                watching.set(false);
            }
        }
    }

    /** Waits until the server has been idle for a while, then collects and ends. */
    private void watch() {
        try {
            for (long left = left(); left > 0; left = left()) {
                if (used() > kept + GROWTH) {
                    collect();
                }
                TimeUnit.NANOSECONDS.sleep(Math.min(left, TimeUnit.SECONDS.toNanos(1)));
            }
            collect();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            watching.set(false);
        }
    }

    private long left() {
        return QUIET.toNanos() - (System.nanoTime() - lastCall);
    }

    private void collect() {
        System.gc();
        kept = used();
    }

    private static long used() {
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }
}
