package dev.pysandbox.egress;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Limits the connections, or look-ups, of one sandbox and of all sandboxes together.
 *
 * <p>The first slots of each sandbox are reserved, so that sandboxes with many connections do not block the first
 * connections of another one.
 */
final class ConnectionSlots {
    private final int most;
    private final int reserved;
    private final Shared shared;
    /** Guarded by the lock of {@link #shared}. */
    private int held;

    /**
     * Creates the slots of one sandbox.
     *
     * @param most the limit of this sandbox
     * @param reserved the number of reserved slots, which are not taken from {@link Shared#beyond}
     */
    ConnectionSlots(int most, int reserved, Shared shared) {
        this.most = most;
        this.reserved = reserved;
        this.shared = shared;
    }

    /** Waits for a slot. */
    void acquire() throws InterruptedException {
        shared.lock.lockInterruptibly();
        try {
            while (!take()) {
                shared.released.await();
            }
        } finally {
            shared.lock.unlock();
        }
    }

    /** Waits for a slot; returns false if none was free in time. */
    boolean tryAcquire(long nanos) throws InterruptedException {
        shared.lock.lockInterruptibly();
        try {
            long left = nanos;
            while (!take()) {
                if (left <= 0) {
                    return false;
                }
                left = shared.released.awaitNanos(left);
            }
            return true;
        } finally {
            shared.lock.unlock();
        }
    }

    private boolean take() {
        if (held == most || (held < reserved ? shared.first : shared.beyond) == 0) {
            return false;
        }
        add(1);
        return true;
    }

    void release() {
        shared.lock.lock();
        try {
            add(-1);
            shared.released.signalAll();
        } finally {
            shared.lock.unlock();
        }
    }

    /** Counts a slot as reserved, or as beyond if the sandbox holds more than its reserved ones. */
    private void add(int count) {
        if (Math.min(held, held + count) < reserved) {
            shared.first -= count;
        } else {
            shared.beyond -= count;
        }
        held += count;
    }

    /** The free slots for all sandboxes together. */
    static final class Shared {
        /** Fair, so that waiting threads proceed in order. */
        private final ReentrantLock lock = new ReentrantLock(true);

        private final Condition released = lock.newCondition();
        private int first;
        private int beyond;

        /**
         * Sets the limits.
         *
         * @param first the limit of reserved slots
         * @param beyond the limit of all others
         */
        Shared(int first, int beyond) {
            this.first = first;
            this.beyond = beyond;
        }
    }
}
