package dev.pysandbox.egress;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Bounds what one sandbox holds at a time, and what all sandboxes hold together.
 *
 * <p>The first slots of each sandbox are reserved: sandboxes that hold as many as they can do not make another one wait
 * for its first.
 */
final class ConnectionSlots {
    private final int most;
    private final int reserved;
    private final Shared shared;
    /** Guarded by the lock of {@link #shared}. */
    private int held;

    /**
     * Makes the slots of one sandbox.
     *
     * @param most at a time
     * @param reserved how many of them are not taken from {@link Shared#beyond}
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

    /** Waits for a slot, and returns whether one was free in time. */
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

    /** Slots are alike: those that a sandbox holds beyond its reserved ones are counted in the other bound. */
    private void add(int count) {
        if (Math.min(held, held + count) < reserved) {
            shared.first -= count;
        } else {
            shared.beyond -= count;
        }
        held += count;
    }

    /** The slots that are free for all sandboxes together. */
    static final class Shared {
        /** Fair: the waiting ones look again in the order in which they came. */
        private final ReentrantLock lock = new ReentrantLock(true);

        private final Condition released = lock.newCondition();
        private int first;
        private int beyond;

        /**
         * Makes the bounds.
         *
         * @param first for reserved slots
         * @param beyond for all others
         */
        Shared(int first, int beyond) {
            this.first = first;
            this.beyond = beyond;
        }
    }
}
