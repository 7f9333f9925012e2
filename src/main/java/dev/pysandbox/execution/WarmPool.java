package dev.pysandbox.execution;

import dev.pysandbox.sandbox.PoolLimits;
import dev.pysandbox.support.ByteSize;
import dev.pysandbox.support.Threads;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Keeps a few things of each kind that was asked for lately waiting, and hands each out once.
 *
 * <p>They are sandboxes; here it only matters that they take long to start, hold memory and can die. New ones are
 * started one after the other behind the calls, never while one might be waiting for the processor. Where many were
 * asked for at once, as many are kept for a while: the same agents will ask again.
 *
 * @param <K> a kind of them
 * @param <S> one of them
 */
final class WarmPool<K, S> implements AutoCloseable {
    /** Of an interpreter and its sandbox. */
    private static final long LEAST_SIZE = 16 << 20;

    private static final Duration FOREVER = Duration.ofDays(365);

    /** For how long calls at once make others likely. */
    private static final Duration AFTER_BURST = Duration.ofSeconds(60);

    /** After the end of the last call: its answer goes first. */
    private static final Duration AFTER_CALLS = Duration.ofMillis(10);

    /** A call that takes longer is busy with something else than starting. */
    private static final Duration DURING_CALLS = Duration.ofMillis(250);

    /** Between looks at whether what waits is at rest. */
    private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(2);

    private final Source<K, S> source;
    private final int perKind;
    private final Supplier<PoolLimits> limits;
    private final LongSupplier nanoTime;
    private final Consumer<Runnable> background;
    private final Map<K, Bucket<S>> buckets = new LinkedHashMap<>(); // the most recently used last
    private final List<S> discarded = new ArrayList<>();
    private Optional<Thread> keeper = Optional.empty();
    private int calls;
    private long lastEvent;
    private long lastLook;
    private boolean woken;
    private boolean starting;
    private boolean closed;

    /** @param background runs what may take long on another thread */
    WarmPool(
            Source<K, S> source,
            int perKind,
            Supplier<PoolLimits> limits,
            LongSupplier nanoTime,
            Consumer<Runnable> background) {
        this.source = source;
        this.perKind = perKind;
        this.limits = limits;
        this.nanoTime = nanoTime;
        this.background = background;
        this.lastEvent = nanoTime.getAsLong();
        this.lastLook = lastEvent;
    }

    /** Where they come from and go to. */
    interface Source<K, S> {
        S start(K kind) throws IOException;

        /** Waits until it is ready and says how much memory it then holds. */
        ByteSize awaitReady(S started) throws IOException, InterruptedException;

        boolean isUsable(S waiting);

        /** Whether it has done nothing since it was ready; code of a package may run in it. */
        boolean isResting(S waiting);

        void discard(S waiting);
    }

    /** Those of one kind. */
    private static final class Bucket<S> {
        final Deque<S> waiting = new ArrayDeque<>();
        long lastUse;
        int burst;
        long lastBurst;
        long size = LEAST_SIZE;
        Optional<Long> failed = Optional.empty();
    }

    /** Begins to keep things waiting; until then nothing is kept. */
    synchronized void open() {
        if (keeper.isEmpty() && perKind > 0 && !closed) {
            keeper = Optional.of(Threads.startDaemon("warm-pool", this::maintainForever));
        }
    }

    /** A call begins; to be followed by {@link #endCall}. */
    synchronized void beginCall() {
        calls++;
        lastEvent = nanoTime.getAsLong();
    }

    synchronized void endCall() {
        calls--;
        touch();
    }

    /** Says that this kind will be asked for. */
    synchronized void want(K kind) {
        Bucket<S> bucket = Optional.ofNullable(buckets.remove(kind)).orElseGet(Bucket::new);
        bucket.lastUse = nanoTime.getAsLong();
        buckets.put(kind, bucket);
        touch();
    }

    /** One that waits, if there is one; it may not be ready yet. */
    synchronized Optional<S> take(K kind) {
        want(kind);
        update(kind, this::countBurst);
        Deque<S> waiting = waitingFor(kind);
        while (!waiting.isEmpty()) {
            S first = waiting.remove();
            if (source.isUsable(first)) {
                return Optional.of(first);
            }
            discarded.add(first);
        }
        return Optional.empty();
    }

    private void countBurst(Bucket<S> bucket) {
        int burst = Math.min(calls, limits.get().afterBurst());
        if (burst >= burstOf(bucket)) {
            bucket.burst = burst;
            bucket.lastBurst = nanoTime.getAsLong();
        }
    }

    private int burstOf(Bucket<S> bucket) {
        return left(bucket.lastBurst, AFTER_BURST).isZero() ? 0 : bucket.burst;
    }

    /** Does what is to be done now, at most one start; says how long nothing more needs to be done. */
    Duration maintain() {
        if (left(lastLook, BETWEEN_LOOKS).isZero()) {
            lastLook = nanoTime.getAsLong();
            discardActive();
        }
        Optional<K> wanted;
        Duration pause;
        List<S> removed;
        synchronized (this) {
            removeIdle();
            Map<K, Integer> shares = shares();
            buckets.forEach((kind, bucket) -> {
                while (bucket.waiting.size() > shares.getOrDefault(kind, 0)) {
                    discarded.add(bucket.waiting.remove());
                }
            });
            wanted = shares.entrySet().stream()
                    .filter(share -> !starting && waitingFor(share.getKey()).size() < share.getValue())
                    .map(Map.Entry::getKey)
                    .findFirst();
            pause = wanted.isPresent() ? untilQuiet() : untilIdle();
            removed = List.copyOf(discarded);
            discarded.clear();
        }
        removed.forEach(source::discard);
        if (wanted.isPresent() && pause.isZero()) {
            fill(wanted.get());
        }
        return untilLook().filter(look -> look.compareTo(pause) < 0).orElse(pause);
    }

    private synchronized Optional<Duration> untilLook() {
        return buckets.values().stream().allMatch(bucket -> bucket.waiting.isEmpty())
                ? Optional.empty()
                : Optional.of(left(lastLook, BETWEEN_LOOKS));
    }

    /** What waits does nothing: one that uses the processor goes, and no other of its kind is kept for a while. */
    private void discardActive() {
        Map<K, List<S>> waiting = new LinkedHashMap<>();
        synchronized (this) {
            buckets.forEach((kind, bucket) -> waiting.put(kind, List.copyOf(bucket.waiting)));
        }
        waiting.forEach((kind, all) ->
                all.stream().filter(each -> !source.isResting(each)).forEach(each -> reject(kind, each)));
    }

    /** Discards one that waits; for a while no other of its kind is started. One that a call has taken is the call's. */
    private void reject(K kind, S waiting) {
        update(kind, bucket -> {
            if (bucket.waiting.remove(waiting)) {
                discarded.add(waiting);
                bucket.failed = Optional.of(nanoTime.getAsLong());
            }
        });
    }

    private void fill(K kind) {
        try {
            S started = source.start(kind);
            if (offer(kind, started)) {
                try {
                    background.accept(() -> settle(kind, started));
                } catch (OutOfMemoryError e) { // no thread: it would not be watched
                    reject(kind, started);
                    endStarting();
                }
            }
        } catch (IOException e) {
            update(kind, bucket -> bucket.failed = Optional.of(nanoTime.getAsLong()));
        }
    }

    /** Takes as long as what it imports; others that wait are watched meanwhile, and none is started. */
    private void settle(K kind, S started) {
        try {
            long size = Math.max(LEAST_SIZE, source.awaitReady(started).bytes());
            update(kind, bucket -> bucket.size = size);
        } catch (IOException e) {
            reject(kind, started);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // does not happen: no other code has this thread
        } finally {
            endStarting();
        }
    }

    private synchronized void endStarting() {
        starting = false;
        wake();
    }

    /** From here on a call may take it, ready or not: it is ahead of one that the call would start itself. */
    private boolean offer(K kind, S started) {
        synchronized (this) {
            if (!closed && buckets.containsKey(kind)) {
                waitingFor(kind).add(started);
                starting = true;
                return true;
            }
        }
        source.discard(started);
        return false;
    }

    private synchronized void update(K kind, Consumer<Bucket<S>> change) {
        Optional.ofNullable(buckets.get(kind)).ifPresent(change);
    }

    private Deque<S> waitingFor(K kind) {
        return Optional.ofNullable(buckets.get(kind))
                .map(bucket -> bucket.waiting)
                .orElseGet(ArrayDeque::new);
    }

    /** How many of each kind there shall be: the most recently used first, until a bound is met. */
    private Map<K, Integer> shares() {
        Map<K, Integer> shares = new LinkedHashMap<>();
        int number = buckets.values().stream()
                .mapToInt(this::burstOf)
                .reduce(Math.max(perKind, limits.get().all()), Math::max);
        long memory = limits.get().memory().bytes();
        List<Map.Entry<K, Bucket<S>>> recent = new ArrayList<>(buckets.entrySet());
        Collections.reverse(recent);
        for (Map.Entry<K, Bucket<S>> each : recent) {
            Bucket<S> bucket = each.getValue();
            long most =
                    bucket.failed.isPresent() ? 0 : Math.min(Math.max(perKind, burstOf(bucket)), memory / bucket.size);
            int share = (int) Math.min(most, number);
            number -= share;
            memory -= share * bucket.size;
            shares.put(each.getKey(), share);
        }
        return shares;
    }

    private Duration untilQuiet() {
        return left(lastEvent, calls == 0 ? AFTER_CALLS : DURING_CALLS);
    }

    private Duration untilIdle() {
        return buckets.values().stream()
                .map(bucket -> burstOf(bucket) == 0
                        ? left(bucket.lastUse, limits.get().idle())
                        : left(bucket.lastBurst, AFTER_BURST))
                .min(Duration::compareTo)
                .orElse(FOREVER);
    }

    private void removeIdle() {
        buckets.values().removeIf(bucket -> {
            bucket.failed = bucket.failed.filter(
                    when -> !left(when, limits.get().idle()).isZero());
            boolean idle = left(bucket.lastUse, limits.get().idle()).isZero();
            if (idle) {
                discarded.addAll(bucket.waiting);
            }
            return idle;
        });
    }

    private Duration left(long since, Duration span) {
        return Duration.ofNanos(Math.max(0, span.toNanos() - (nanoTime.getAsLong() - since)));
    }

    private void touch() {
        lastEvent = nanoTime.getAsLong();
        wake();
    }

    private void wake() {
        woken = true;
        notifyAll();
    }

    private void maintainForever() {
        try {
            while (true) {
                Duration pause = maintain();
                synchronized (this) {
                    if (closed) {
                        return;
                    }
                    if (!woken) {
                        TimeUnit.NANOSECONDS.timedWait(this, pause.toNanos());
                    }
                    woken = false;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // by close
        }
    }

    /** Discards all that wait, and waits for one that is just being started to be discarded too. */
    @Override
    public void close() {
        List<S> left = new ArrayList<>();
        Optional<Thread> ending;
        synchronized (this) {
            closed = true;
            buckets.values().forEach(bucket -> left.addAll(bucket.waiting));
            buckets.clear();
            left.addAll(discarded);
            discarded.clear();
            ending = keeper;
        }
        ending.ifPresent(Thread::interrupt);
        left.parallelStream().forEach(source::discard);
        ending.ifPresent(Threads::awaitEnd);
    }
}
