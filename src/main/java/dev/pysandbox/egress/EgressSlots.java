package dev.pysandbox.egress;

import java.util.concurrent.Semaphore;

/**
 * Bounds the connections of one sandbox, and those of all sandboxes together.
 *
 * <p>A connection costs up to two threads and two buffers. One that is not used ends with its sandbox.
 */
final class EgressSlots {
    /** Fair, so that a sandbox with many connections does not starve one that wants its first. */
    private static final Semaphore ALL = new Semaphore(512, true);

    private final Semaphore own;

    EgressSlots(int connections) {
        this.own = new Semaphore(connections);
    }

    /** Waits until this sandbox may have one more connection. */
    void acquireOwn() throws InterruptedException {
        own.acquire();
    }

    /** Waits until there may be one more over all sandboxes; to be called once there is a connection. */
    void acquireShared() throws InterruptedException {
        ALL.acquire();
    }

    void releaseOwn() {
        own.release();
    }

    void releaseShared() {
        ALL.release();
    }
}
