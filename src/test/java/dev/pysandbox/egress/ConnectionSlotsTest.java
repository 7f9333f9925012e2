package dev.pysandbox.egress;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

final class ConnectionSlotsTest {
    private final ConnectionSlots.Shared shared = new ConnectionSlots.Shared(5, 3);
    private final ConnectionSlots first = new ConnectionSlots(6, 2, shared);
    private final ConnectionSlots second = new ConnectionSlots(6, 2, shared);
    private final ConnectionSlots third = new ConnectionSlots(6, 2, shared);

    @Test
    void reservesTheFirstOfEach() throws InterruptedException {
        take(first, 5);
        refuse(first);
        take(second, 2);
        refuse(second);
    }

    /** Whichever connection ends, the remaining ones use the reserved slots first. */
    @Test
    void releasesUnreservedSlotsFirst() throws InterruptedException {
        take(first, 5);
        take(second, 2);
        first.release();
        take(second, 1);
        refuse(first);
        second.release();
        second.release();
        second.release();
        take(second, 3);
        refuse(second);
    }

    @Test
    void limitsTheReservedSlotsOfAll() throws InterruptedException {
        take(first, 2);
        take(second, 2);
        take(third, 1);
        refuse(third);
        second.release();
        take(third, 1);
    }

    @Test
    void limitsTheSlotsOfOneSandbox() throws InterruptedException {
        ConnectionSlots alone = new ConnectionSlots(2, 8, new ConnectionSlots.Shared(100, 100));
        take(alone, 2);
        refuse(alone);
    }

    private static void take(ConnectionSlots slots, int count) throws InterruptedException {
        for (int i = 0; i < count; i++) {
            assertTrue(slots.tryAcquire(0), "slot " + i);
        }
    }

    private static void refuse(ConnectionSlots slots) throws InterruptedException {
        assertFalse(slots.tryAcquire(0));
    }
}
