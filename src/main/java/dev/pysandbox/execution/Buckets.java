package dev.pysandbox.execution;

import dev.pysandbox.sandbox.PoolLimits;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * The waiting resources of a {@link WarmPool} by kind, and how many of each kind to keep. Not thread-safe.
 *
 * <p>After several concurrent calls as many are kept for a while, because the same agents are likely to call again.
 *
 * @param <K> the kind of a resource
 * @param <S> a resource
 */
final class Buckets<K, S> {
    /** The memory of a sandbox whose interpreter has imported nothing. */
    private static final long LEAST_SIZE = 16 << 20;

    /** How long resources are kept for a repetition of concurrent calls. */
    private static final Duration AFTER_BURST = Duration.ofSeconds(60);

    /** Of more kinds, the least recently used are forgotten: scripts can begin with any of many combinations of imports. */
    private static final int MOST_KINDS = 64;

    private static final Duration FOREVER = Duration.ofDays(365);

    private final int perKind;
    private final Supplier<PoolLimits> limits;
    private final LongSupplier nanoTime;
    private final Map<K, Bucket<S>> buckets = new LinkedHashMap<>(); // the most recently used last

    Buckets(int perKind, Supplier<PoolLimits> limits, LongSupplier nanoTime) {
        this.perKind = perKind;
        this.limits = limits;
        this.nanoTime = nanoTime;
    }

    /** The waiting resources of one kind. */
    private static final class Bucket<S> {
        final Deque<S> waiting = new ArrayDeque<>();
        long lastUse;
        int burst;
        long lastBurst;
        long size = LEAST_SIZE;
        Optional<Long> failed = Optional.empty();
    }

    /** Records that this kind will be used. */
    void want(K kind) {
        Bucket<S> bucket = Optional.ofNullable(buckets.remove(kind)).orElseGet(Bucket::new);
        bucket.lastUse = nanoTime.getAsLong();
        buckets.put(kind, bucket);
    }

    boolean contains(K kind) {
        return buckets.containsKey(kind);
    }

    /** Returns all kinds, the most recently used last. */
    List<K> kinds() {
        return List.copyOf(buckets.keySet());
    }

    /** Returns the waiting resources of a kind; a change of them is not kept if the kind is unknown. */
    Deque<S> waiting(K kind) {
        return find(kind).map(bucket -> bucket.waiting).orElseGet(ArrayDeque::new);
    }

    private Optional<Bucket<S>> find(K kind) {
        return Optional.ofNullable(buckets.get(kind));
    }

    /** Returns all waiting resources. */
    Map<K, List<S>> waiting() {
        Map<K, List<S>> waiting = new LinkedHashMap<>();
        buckets.forEach((kind, bucket) -> waiting.put(kind, List.copyOf(bucket.waiting)));
        return waiting;
    }

    boolean isEmpty() {
        return buckets.values().stream().allMatch(bucket -> bucket.waiting.isEmpty());
    }

    /** Records how many calls run while one of them takes a resource of this kind. */
    void countBurst(K kind, int calls) {
        find(kind).ifPresent(bucket -> {
            int burst = Math.min(calls, limits.get().afterBurst());
            if (burst >= burstOf(bucket)) {
                bucket.burst = burst;
                bucket.lastBurst = nanoTime.getAsLong();
            }
        });
    }

    /** Records the memory use of a resource of this kind. */
    void measured(K kind, long bytes) {
        find(kind).ifPresent(bucket -> bucket.size = Math.max(LEAST_SIZE, bytes));
    }

    /** Records that a resource of this kind failed: for a while none is kept. */
    void failed(K kind) {
        find(kind).ifPresent(bucket -> bucket.failed = Optional.of(nanoTime.getAsLong()));
    }

    /** Returns the kinds of which more should wait, the most recently used first. */
    List<K> lacking() {
        return shares().entrySet().stream()
                .filter(share -> waiting(share.getKey()).size() < share.getValue())
                .map(Map.Entry::getKey)
                .toList();
    }

    /** Removes kinds that were not used for a while and resources beyond the shares. Returns their resources. */
    List<S> removeSurplus() {
        List<S> removed = new ArrayList<>();
        for (K oldest : List.copyOf(buckets.keySet()).subList(0, Math.max(0, buckets.size() - MOST_KINDS))) {
            removed.addAll(waiting(oldest));
            buckets.remove(oldest);
        }
        buckets.values().removeIf(bucket -> {
            bucket.failed = bucket.failed.filter(
                    when -> !left(when, limits.get().idle()).isZero());
            boolean idle = left(bucket.lastUse, limits.get().idle()).isZero();
            if (idle) {
                removed.addAll(bucket.waiting);
            }
            return idle;
        });
        Map<K, Integer> shares = shares();
        buckets.forEach((kind, bucket) -> {
            while (bucket.waiting.size() > shares.getOrDefault(kind, 0)) {
                removed.add(bucket.waiting.remove());
            }
        });
        return removed;
    }

    /** Removes and returns everything. */
    List<S> clear() {
        List<S> all = waiting().values().stream().flatMap(List::stream).toList();
        buckets.clear();
        return all;
    }

    /** Returns the time until {@link #removeSurplus} may find something. */
    Duration untilSurplus() {
        return buckets.values().stream()
                .map(bucket -> burstOf(bucket) == 0
                        ? left(bucket.lastUse, limits.get().idle())
                        : left(bucket.lastBurst, AFTER_BURST))
                .min(Duration::compareTo)
                .orElse(FOREVER);
    }

    private int burstOf(Bucket<S> bucket) {
        return left(bucket.lastBurst, AFTER_BURST).isZero() ? 0 : bucket.burst;
    }

    /** Returns how many of each kind to keep. The most recently used kinds come first, until a limit is reached. */
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

    private Duration left(long since, Duration span) {
        return Duration.ofNanos(Math.max(0, span.toNanos() - (nanoTime.getAsLong() - since)));
    }
}
