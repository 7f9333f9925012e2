package dev.pysandbox.run;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntConsumer;

/** Lets so many in at a time; the others wait in the order in which they came, and hear how many are before them. */
final class WaitingLine {
    private final int places;
    private final List<Object> waiting = new ArrayList<>();
    private int inside;

    WaitingLine(int places) {
        this.places = places;
    }

    /**
     * Waits for a place, which {@link #leave} gives back; an interrupt ends the waiting.
     *
     * @param ahead hears how many are before this one, whenever that changes
     */
    void enter(IntConsumer ahead) throws InterruptedException {
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
                        inside++;
                        return;
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

    /** Whether every place is free and none is waited for. */
    synchronized boolean isEmpty() {
        return inside == 0 && waiting.isEmpty();
    }

    synchronized void leave() {
        inside--;
        notifyAll();
    }

    private boolean isNext(Object ticket) {
        return inside < places && waiting.indexOf(ticket) == 0;
    }
}
