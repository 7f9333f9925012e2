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

    /** Acquires a slot and reports it. */
    private void come(String name) {
        Thread thread = new Thread(() -> {
            try {
                slots.add(queue.acquire(ahead -> events.add(name + " waits behind " + ahead)));
                events.add(name + " is in");
            } catch (InterruptedException e) {
                events.add(name + " gave up");
            }
        });
        thread.start();
        threads.add(thread);
    }

    private void hear(String... expected) throws InterruptedException {
        for (String each : expected) {
            assertEquals(each, events.take());
        }
    }

    /** Two who hear of a change do so in any order. */
    private void hearBoth(String one, String other) throws InterruptedException {
        List<String> heard = new ArrayList<>(List.of(events.take(), events.take()));
        assertTrue(heard.containsAll(List.of(one, other)), heard::toString);
    }

    @Test
    void firstComeFirstServed() throws Exception {
        come("a");
        hear("a is in");
        come("b");
        hear("b is in");
        come("c");
        hear("c waits behind 0");
        come("d");
        hear("d waits behind 1");
        come("e");
        hear("e waits behind 2");
        slots.take().close();
        List<String> heard = new ArrayList<>(List.of(events.take(), events.take(), events.take()));
        assertTrue(heard.containsAll(List.of("c is in", "d waits behind 0", "e waits behind 1")), heard::toString);
        slots.take().close();
        hearBoth("d is in", "e waits behind 0");
        slots.take().close();
        hear("e is in");
    }

    @Test
    void anInterruptedWaiterLeavesTheQueue() throws Exception {
        come("a");
        hear("a is in");
        come("b");
        hear("b is in");
        come("c");
        hear("c waits behind 0");
        come("d");
        hear("d waits behind 1");
        threads.get(2).interrupt();
        hearBoth("c gave up", "d waits behind 0");
        slots.take().close();
        hear("d is in");
    }
}
