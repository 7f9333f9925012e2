package dev.pysandbox.run;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Keeps the heap of a server small.
 *
 * <p>Left alone, the JVM lets garbage fill a good part of the machine's memory before it collects any: a server that
 * lives beside an agent all day should not.
 */
final class HeapBound {
    private static final long GROWTH = 12L << 20;

    private final AtomicBoolean collecting = new AtomicBoolean();
    private volatile long kept;

    /** Collects behind the caller's back if much has gathered since the last time. */
    void afterCall() {
        if (used() > kept + GROWTH && collecting.compareAndSet(false, true)) {
            Thread collector = new Thread(this::collect, "heap-bound");
            collector.setDaemon(true);
            collector.start();
        }
    }

    private void collect() {
        System.gc();
        kept = used();
        collecting.set(false);
    }

    private static long used() {
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }
}
