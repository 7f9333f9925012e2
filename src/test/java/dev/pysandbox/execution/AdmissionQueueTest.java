package dev.pysandbox.execution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
final class AdmissionQueueTest {
    private final AdmissionQueue queue = new AdmissionQueue(2);
    private final BlockingQueue<AdmissionQueue.Slot> slots = new LinkedBlockingQueue<>();
    private final BlockingQueue<String> events = new LinkedBlockingQueue<>();
    private final List<Thread> threads = new ArrayList<>();

    @AfterEach
    void end() {
        threads.forEach(Thread::interrupt);
    }

    /** Acquires a slot on a new thread and records the events. */
    private void acquire(String name) {
        Thread thread = new Thread(() -> {
            try {
                slots.add(queue.acquire(ahead -> events.add(name + " waits behind " + ahead)));
                events.add(name + " is in");
            } catch (InterruptedException e) {
                events.add(name + " was interrupted");
            }
        });
        thread.start();
        threads.add(thread);
    }

    private void expect(String... expected) throws InterruptedException {
        for (String each : expected) {
            assertEquals(each, events.take());
        }
    }

    /** Expects two events in any order. */
    private void expectBoth(String one, String other) throws InterruptedException {
        List<String> found = new ArrayList<>(List.of(events.take(), events.take()));
        assertTrue(found.containsAll(List.of(one, other)), found::toString);
    }

    @Test
    void firstComeFirstServed() throws Exception {
        acquire("a");
        expect("a is in");
        acquire("b");
        expect("b is in");
        acquire("c");
        expect("c waits behind 0");
        acquire("d");
        expect("d waits behind 1");
        acquire("e");
        expect("e waits behind 2");
        slots.take().close();
        List<String> found = new ArrayList<>(List.of(events.take(), events.take(), events.take()));
        assertTrue(found.containsAll(List.of("c is in", "d waits behind 0", "e waits behind 1")), found::toString);
        slots.take().close();
        expectBoth("d is in", "e waits behind 0");
        slots.take().close();
        expect("e is in");
    }

    @Test
    void anInterruptedWaiterLeavesTheQueue() throws Exception {
        acquire("a");
        expect("a is in");
        acquire("b");
        expect("b is in");
        acquire("c");
        expect("c waits behind 0");
        acquire("d");
        expect("d waits behind 1");
        threads.get(2).interrupt();
        expectBoth("c was interrupted", "d waits behind 0");
        slots.take().close();
        expect("d is in");
    }
}
