package dev.pysandbox.execution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pysandbox.sandbox.PoolLimits;
import dev.pysandbox.support.ByteSize;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests the pool with a simulated clock. Its resources are strings: the kind and a number. */
class WarmPoolTest {
    private static final Duration IDLE = Duration.ofMinutes(5);

    private final FakeSource things = new FakeSource();
    private long now = 1_000_000_000_000L;
    private final WarmPool<String, String> pool = pool(2, 5, "512m");

    /** Starts resources and records which are alive. */
    private static final class FakeSource implements WarmPool.Source<String, String> {
        final List<String> alive = new ArrayList<>();
        final Set<String> dead = new HashSet<>();
        final Set<String> failing = new HashSet<>();
        final Set<String> restless = new HashSet<>();
        final Map<String, Throwable> faults = new HashMap<>();
        final List<String> attempts = new ArrayList<>();
        final Map<String, List<String>> substitutes = new HashMap<>();
        ByteSize size = new ByteSize(0);
        int started;
        int besideCalls;

        @Override
        public int startsBesideCalls() {
            return besideCalls;
        }

        @Override
        public List<String> substitutes(String wanted, Collection<String> kinds) {
            return substitutes.getOrDefault(wanted, List.of()).stream()
                    .filter(kinds::contains)
                    .toList();
        }

        @Override
        public String start(String kind) throws IOException {
            attempts.add(kind);
            fail(kind);
            String thing = kind + ++started;
            alive.add(thing);
            return thing;
        }

        /** Throws the unchecked exception that was set for a kind. */
        private void fail(String kind) {
            if (faults.get(kind) instanceof Error error) {
                throw error;
            }
            if (faults.get(kind) instanceof RuntimeException exception) {
                throw exception;
            }
        }

        Consumer<String> whileSettling = thing -> {};
        Consumer<String> whileLooking = thing -> {};

        @Override
        public ByteSize awaitReady(String thing) throws IOException {
            whileSettling.accept(thing);
            fail("await " + thing.substring(0, 1));
            if (failing.contains(thing.substring(0, 1))) {
                dead.add(thing);
                throw new IOException("it does not start");
            }
            return size;
        }

        @Override
        public boolean isUsable(String thing) {
            return !dead.contains(thing);
        }

        @Override
        public boolean isResting(String kind, String thing) {
            whileLooking.accept(thing);
            fail("check " + thing);
            return !restless.contains(thing);
        }

        @Override
        public void discard(String thing) {
            assertTrue(alive.remove(thing), () -> thing + " is discarded twice");
            fail("discard " + thing);
        }
    }

    private WarmPool<String, String> pool(int perKind, int all, String memory) {
        return new WarmPool<>(
                things, perKind, () -> new PoolLimits(all, 8, ByteSize.parse(memory), IDLE), () -> now, Runnable::run);
    }

    private void pass(Duration time) {
        now += time.toNanos();
    }

    /** Advances the clock until the pool has nothing to do. */
    private void settle(WarmPool<String, String> pool) throws InterruptedException {
        pass(Duration.ofSeconds(1));
        for (int step = 0; step < 50 && pool.maintain().isZero(); step++) {
            pass(Duration.ofMillis(1));
        }
    }

    private void callAtOnce(int number) {
        for (int i = 0; i < number; i++) {
            pool.beginCall();
        }
        for (int i = 0; i < number; i++) {
            pool.take("a").ifPresent(things.alive::remove);
        }
        for (int i = 0; i < number; i++) {
            pool.endCall();
        }
    }

    @Test
    void keepsAsManyAsWereWantedAtOnceForAWhile() throws InterruptedException {
        callAtOnce(6);
        settle(pool);
        assertEquals(6, things.alive.size());
        pass(Duration.ofSeconds(40));
        callAtOnce(3);
        settle(pool);
        assertEquals(6, things.alive.size());
        pass(Duration.ofSeconds(40));
        settle(pool);
        assertEquals(2, things.alive.size());
    }

    @Test
    void keepsNoMoreThanTheBoundForACrowd() throws InterruptedException {
        callAtOnce(30);
        settle(pool);
        assertEquals(8, things.alive.size());
    }

    @Test
    void keepsAFewOfWhatIsWanted() throws InterruptedException {
        pool.want("a");
        settle(pool);
        assertEquals(List.of("a1", "a2"), things.alive);
        assertEquals(Optional.of("a1"), pool.take("a"));
        assertEquals(Optional.of("a2"), pool.take("a"));
        assertEquals(Optional.empty(), pool.take("a"), "each is handed out once");
        assertEquals(Optional.empty(), pool.take("b"));
        settle(pool);
        assertEquals(List.of("a1", "a2", "b3", "b4", "a5", "a6"), things.alive);
    }

    @Test
    void handsOutASubstituteIfNoneOfTheKindWaits() throws InterruptedException {
        things.substitutes.put("b", List.of("x", "a"));
        pool.want("a");
        settle(pool);
        assertEquals(Optional.of("a1"), pool.take("b"));
        assertEquals(Optional.empty(), pool.take("c"), "it has no substitute");
        settle(pool);
        assertEquals(Optional.of("b5"), pool.take("b"), "its own kind comes first");
    }

    @Test
    void remembersALimitedNumberOfKinds() throws InterruptedException {
        things.substitutes.put("z", List.of("a"));
        pool.want("a");
        settle(pool);
        things.size = ByteSize.parse("1g"); // no other is kept
        for (int kind = 0; kind < 1000; kind++) {
            pool.want("k" + kind);
        }
        settle(pool);
        assertEquals(Optional.empty(), pool.take("z"));
        assertFalse(things.alive.contains("a1"), "it is discarded");
    }

    @Test
    void keepsTheKindOfASubstitute() throws InterruptedException {
        things.substitutes.put("b", List.of("a"));
        pool.want("a");
        settle(pool);
        for (int i = 0; i < 3; i++) {
            pass(IDLE.minusSeconds(30));
            for (int call = 0; call < 3; call++) { // one more than wait of its own kind
                pool.take("b");
            }
            settle(pool);
        }
        assertTrue(pool.take("a").isPresent());
    }

    @Test
    void startsNothingWhileCallsBeginOrEnd() throws InterruptedException {
        pool.beginCall();
        assertEquals(Optional.empty(), pool.take("a"));
        assertEquals(Duration.ofMillis(250), pool.maintain());
        pass(Duration.ofMillis(200));
        pool.endCall();
        assertEquals(Duration.ofMillis(10), pool.maintain());
        assertEquals(List.of(), things.alive);
        pass(Duration.ofMillis(10));
        assertEquals(Duration.ZERO, pool.maintain());
        assertEquals(List.of("a1"), things.alive, "one after the other");
    }

    @Test
    void doesNotWaitForALongCall() throws InterruptedException {
        pool.beginCall();
        assertEquals(Optional.empty(), pool.take("a"));
        pass(Duration.ofMillis(250));
        assertEquals(Duration.ZERO, pool.maintain());
        assertEquals(List.of("a1"), things.alive);
    }

    @Test
    void startsAtOnceIfNoneIsLeftAndStartingDelaysNoCall() {
        things.besideCalls = 2;
        pool.beginCall();
        assertEquals(Optional.empty(), pool.take("a"));
        assertEquals(Duration.ZERO, pool.maintain());
        assertEquals(List.of("a1"), things.alive);
        assertEquals(Duration.ofMillis(250), pool.maintain(), "one is left: the next start waits");
        assertEquals(Optional.of("a1"), pool.take("a"));
        assertEquals(Duration.ZERO, pool.maintain());
        assertEquals(List.of("a1", "a2"), things.alive);
    }

    @Test
    void startsOnlySoManyAtOnce() {
        List<Runnable> settling = new ArrayList<>();
        WarmPool<String, String> slow = new WarmPool<>(
                things, 2, () -> new PoolLimits(5, 8, ByteSize.parse("512m"), IDLE), () -> now, settling::add);
        things.besideCalls = 2;
        for (int call = 0; call < 4; call++) {
            slow.beginCall();
            slow.take("a");
            slow.maintain();
        }
        assertEquals(List.of("a1", "a2"), things.alive);
        settling.forEach(Runnable::run);
        slow.maintain();
        assertEquals(List.of("a1", "a2", "a3"), things.alive);
    }

    @Test
    void makesRoomForWhatWasUsedLast() throws InterruptedException {
        for (String kind : List.of("a", "b", "c")) {
            pool.want(kind);
            settle(pool);
        }
        assertEquals(List.of("a2", "b3", "b4", "c5", "c6"), things.alive);
        pool.want("a");
        settle(pool);
        assertEquals(List.of("a2", "b4", "c5", "c6", "a7"), things.alive);
    }

    @Test
    void holdsNoMoreMemoryThanItMay() throws InterruptedException {
        things.size = ByteSize.parse("200m");
        WarmPool<String, String> small = pool(4, 10, "512m");
        small.want("a");
        settle(small);
        assertEquals(List.of("a1", "a2"), things.alive);
        small.want("b");
        settle(small);
        assertEquals(List.of("b3", "b4"), things.alive);
    }

    @Test
    void letsIdleOnesGo() throws InterruptedException {
        pool.want("a");
        settle(pool);
        pass(Duration.ofMinutes(3));
        pool.want("b");
        settle(pool);
        assertTrue(pool.maintain().compareTo(Duration.ofMinutes(2)) <= 0, "it wakes up for the first that goes");
        pass(Duration.ofMinutes(2));
        settle(pool);
        assertEquals(List.of("b3", "b4"), things.alive);
        pass(IDLE);
        settle(pool);
        assertEquals(List.of(), things.alive);
        assertTrue(pool.maintain().toDays() > 1, "nothing to wake up for");
    }

    @Test
    void handsOutNoDeadOne() throws InterruptedException {
        pool.want("a");
        settle(pool);
        things.dead.add("a1");
        assertEquals(Optional.of("a2"), pool.take("a"));
        settle(pool);
        assertEquals(List.of("a2", "a3", "a4"), things.alive);
    }

    @Test
    void leavesAKindAloneThatDoesNotStart() throws InterruptedException {
        things.failing.add("a");
        pool.want("a");
        settle(pool);
        assertEquals(1, things.started);
        assertEquals(List.of(), things.alive);
        for (int minute = 0; minute < 4; minute++) {
            pass(Duration.ofMinutes(1));
            assertEquals(Optional.empty(), pool.take("a"));
            settle(pool);
        }
        assertEquals(1, things.started);
        things.failing.clear();
        pass(Duration.ofMinutes(1));
        assertEquals(Optional.empty(), pool.take("a"));
        settle(pool);
        assertEquals(3, things.started, "tried again after a while");
    }

    @Test
    void keepsNothingWhereNoneAreWanted() throws InterruptedException {
        WarmPool<String, String> off = pool(0, 6, "512m");
        off.open();
        off.want("a");
        settle(off);
        assertEquals(List.of(), things.alive);
    }

    @Test
    void discardsAllAtTheEnd() throws InterruptedException {
        pool.want("a");
        settle(pool);
        pool.close();
        assertEquals(List.of(), things.alive);
        pool.want("b");
        pass(Duration.ofSeconds(1));
        assertEquals(Duration.ZERO, pool.maintain());
        assertEquals(List.of(), things.alive, "started too late");
    }

    @Test
    void discardsWhatUsesTheProcessorWhileItWaits() throws InterruptedException {
        pool.want("a");
        pool.want("b");
        settle(pool);
        assertEquals(4, things.alive.size());
        String restless = things.alive.stream()
                .filter(thing -> thing.startsWith("a"))
                .findFirst()
                .orElseThrow();
        things.restless.add(restless);
        pass(Duration.ofSeconds(3));
        settle(pool);
        assertFalse(things.alive.contains(restless));
        assertTrue(things.alive.stream().noneMatch(thing -> thing.startsWith("a")), "none of its kind is kept");
        assertEquals(2, things.alive.size());
        pass(IDLE.minusSeconds(10));
        pool.want("a");
        settle(pool);
        assertTrue(things.alive.stream().noneMatch(thing -> thing.startsWith("a")), "nor is one started again soon");
    }

    @Test
    void aCallThatEndsWhatItTookEarlySaysNothingOfItsKind() throws InterruptedException {
        things.failing.add("a");
        things.whileSettling = thing -> pool.take("a");
        pool.want("a");
        settleOnce(pool);
        things.failing.clear();
        things.whileSettling = thing -> {};
        settle(pool);
        assertEquals(2, waiting("a"));
    }

    @Test
    void workOfACallIsNotTakenForRestlessness() throws InterruptedException {
        pool.want("a");
        settle(pool);
        things.whileLooking = thing -> {
            things.whileLooking = other -> {};
            assertEquals(Optional.of(thing), pool.take("a"));
            things.restless.add(thing);
        };
        pass(Duration.ofSeconds(3));
        settle(pool);
        pass(Duration.ofSeconds(1));
        settle(pool);
        assertEquals(2, waiting("a"));
    }

    static List<Throwable> uncheckedFailures() {
        return List.of(new IllegalStateException("broken"), new OutOfMemoryError("no thread"));
    }

    @ParameterizedTest
    @MethodSource("uncheckedFailures")
    void keepsOthersReadyIfAStartFailsUnexpectedly(Throwable failure) throws InterruptedException {
        things.faults.put("a", failure);
        pool.want("b");
        pool.want("a");
        settle(pool);
        assertEquals(List.of("b1", "b2"), things.alive);
        assertEquals(List.of("a", "b", "b"), things.attempts, "not tried again soon");
    }

    @ParameterizedTest
    @MethodSource("uncheckedFailures")
    void discardsWhatFailsUnexpectedlyBeforeItIsReady(Throwable failure) throws InterruptedException {
        things.faults.put("await a", failure);
        pool.want("b");
        pool.want("a");
        settle(pool);
        assertEquals(List.of("b2", "b3"), things.alive);
    }

    @ParameterizedTest
    @MethodSource("uncheckedFailures")
    void checksOthersIfACheckFailsUnexpectedly(Throwable failure) throws InterruptedException {
        pool.want("b");
        pool.want("a");
        settle(pool);
        assertEquals(List.of("a1", "a2", "b3", "b4"), things.alive);
        things.faults.put("check b3", failure);
        things.restless.add("a1");
        pass(Duration.ofSeconds(3));
        settle(pool);
        assertEquals(List.of(), things.alive);
    }

    @ParameterizedTest
    @MethodSource("uncheckedFailures")
    void discardsOthersIfADiscardFailsUnexpectedly(Throwable failure) throws InterruptedException {
        pool.want("a");
        settle(pool);
        things.faults.put("discard a1", failure);
        pass(IDLE.plusSeconds(1));
        settle(pool);
        assertEquals(List.of(), things.alive);
    }

    private long waiting(String kind) {
        long count = 0;
        while (pool.take(kind).isPresent()) {
            count++;
        }
        return count;
    }

    /** Lets the pool start one resource. */
    private void settleOnce(WarmPool<String, String> settling) throws InterruptedException {
        pass(Duration.ofSeconds(1));
        settling.maintain();
    }
}
