package dev.pysandbox.execution;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntConsumer;

/** A fair semaphore that reports each waiter's position. */
final class AdmissionQueue {
    private final int slots;
    private final List<Object> waiting = new ArrayList<>();
    private int taken;

    AdmissionQueue(int slots) {
        this.slots = slots;
    }

    /** The right to run, until it is closed. */
    interface Slot extends AutoCloseable {
        @Override
        void close();
    }

    /**
     * Waits for a slot.
     *
     * @param ahead receives the number of waiters before this one at first and whenever it changes
     */
    Slot acquire(IntConsumer ahead) throws InterruptedException {
        Object ticket = new Object();
        synchronized (this) {
            waiting.add(ticket);
        }
        try {
            int before = -1;
            while (true) {
                synchronized (this) {
                    while (waiting.indexOf(ticket) == before && !isNext(ticket)) {
                        wait();
                    }
                    if (isNext(ticket)) {
                        taken++;
                        return this::release;
                    }
                    before = waiting.indexOf(ticket);
                }
                ahead.accept(before);
            }
        } finally {
            synchronized (this) {
                waiting.remove(ticket);
                notifyAll();
            }
        }
    }

    /** Returns whether all slots are free and no thread waits. */
    synchronized boolean isEmpty() {
        return taken == 0 && waiting.isEmpty();
    }

    private synchronized void release() {
        taken--;
        notifyAll();
    }

    private boolean isNext(Object ticket) {
        return taken < slots && waiting.indexOf(ticket) == 0;
    }
}
