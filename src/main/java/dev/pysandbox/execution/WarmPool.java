package dev.pysandbox.execution;

import dev.pysandbox.sandbox.PoolLimits;
import dev.pysandbox.support.ByteSize;
import dev.pysandbox.support.Threads;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a few resources of each recently used kind ready, and hands out each once.
 *
 * <p>The resources are sandboxes, which take long to start, use memory and can die. A background thread starts them: one
 * at a time while no call is likely to need the processor; several at once, and while calls run, if none of a kind is
 * left and starting has a low priority.
 *
 * @param <K> the kind of a resource
 * @param <S> a resource
 */
final class WarmPool<K, S> implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(WarmPool.class);

    /** The delay of a start after the last call has ended, so that its response is sent first. */
    private static final Duration AFTER_CALLS = Duration.ofMillis(10);

    /** The delay of a start while calls run: by then they have started. */
    private static final Duration DURING_CALLS = Duration.ofMillis(250);

    /** The time between checks whether waiting resources are idle. */
    private static final Duration BETWEEN_CHECKS = Duration.ofSeconds(2);

    private final Source<K, S> source;
    private final int perKind;
    private final LongSupplier nanoTime;
    private final Consumer<Runnable> background;
    private final Buckets<K, S> buckets;
    private final List<S> discarded = new ArrayList<>();
    private Optional<Thread> keeper = Optional.empty();
    private int calls;
    private int starting;
    private long lastEvent;
    private long lastCheck;
    private boolean woken;
    private boolean closed;

    /** @param background runs slow work on another thread */
    WarmPool(
            Source<K, S> source,
            int perKind,
            Supplier<PoolLimits> limits,
            LongSupplier nanoTime,
            Consumer<Runnable> background) {
        this.source = source;
        this.perKind = perKind;
        this.nanoTime = nanoTime;
        this.background = background;
        this.buckets = new Buckets<>(perKind, limits, nanoTime);
        this.lastEvent = nanoTime.getAsLong();
        this.lastCheck = lastEvent;
    }

    /** Starts, checks and discards resources. */
    interface Source<K, S> {
        /** Returns how many can be started at once without delaying calls; 0 if starting delays them. */
        int startsBesideCalls();

        /** Returns those of the kinds whose resources can be used in place of the wanted one, the best first. */
        List<K> substitutes(K wanted, Collection<K> kinds);

        S start(K kind) throws IOException;

        /** Waits until it is ready. Returns its memory use. */
        ByteSize awaitReady(S started) throws IOException, InterruptedException;

        boolean isUsable(S waiting);

        /** Returns whether it has been idle since it was ready. Code of a package that it imported may be running. */
        boolean isResting(K kind, S waiting);

        void discard(S waiting);
    }

    /** Starts to keep resources ready. Until then none is kept. */
    synchronized void open() {
        if (keeper.isEmpty() && perKind > 0 && !closed) {
            keeper = Optional.of(Threads.startDaemon("warm-pool", this::maintainForever));
        }
    }

    /** Records that a call begins. {@link #endCall} must follow. */
    synchronized void beginCall() {
        calls++;
        lastEvent = nanoTime.getAsLong();
    }

    synchronized void endCall() {
        calls--;
        touch();
    }

    /** Records that this kind will be used. */
    synchronized void want(K kind) {
        buckets.want(kind);
        touch();
    }

    /** Returns a waiting resource, if there is one, else a substitute. It may not be ready yet. */
    synchronized Optional<S> take(K kind) {
        want(kind);
        buckets.countBurst(kind, calls);
        Optional<S> taken = takeFrom(kind);
        for (K other : taken.isEmpty() ? source.substitutes(kind, buckets.kinds()) : List.<K>of()) {
            taken = takeFrom(other);
            if (taken.isPresent()) {
                buckets.want(other); // kept, because it is useful
                buckets.want(kind);
                break;
            }
        }
        return taken;
    }

    private Optional<S> takeFrom(K kind) {
        Deque<S> waiting = buckets.waiting(kind);
        while (!waiting.isEmpty()) {
            S first = waiting.remove();
            if (source.isUsable(first)) {
                return Optional.of(first);
            }
            discarded.add(first);
        }
        return Optional.empty();
    }

    /** Discards surplus resources and starts at most one. Returns the time until the next check. */
    Duration maintain() {
        if (left(lastCheck, BETWEEN_CHECKS).isZero()) {
            lastCheck = nanoTime.getAsLong();
            discardActive();
        }
        Optional<K> wanted;
        Duration pause;
        List<S> removed;
        synchronized (this) {
            discarded.addAll(buckets.removeSurplus());
            List<K> lacking = buckets.lacking();
            Optional<K> urgent = lacking.stream()
                    .filter(kind -> starting < source.startsBesideCalls())
                    .filter(kind -> buckets.waiting(kind).isEmpty())
                    .findFirst();
            wanted = urgent.or(
                    () -> lacking.stream().filter(kind -> starting == 0).findFirst());
            pause = wanted.isEmpty() ? buckets.untilSurplus() : urgent.isPresent() ? Duration.ZERO : untilQuiet();
            removed = List.copyOf(discarded);
            discarded.clear();
        }
        removed.forEach(this::discard);
        if (wanted.isPresent() && pause.isZero()) {
            fill(wanted.get());
        }
        return untilCheck().filter(check -> check.compareTo(pause) < 0).orElse(pause);
    }

    private synchronized Optional<Duration> untilCheck() {
        return buckets.isEmpty() ? Optional.empty() : Optional.of(left(lastCheck, BETWEEN_CHECKS));
    }

    private Duration untilQuiet() {
        return left(lastEvent, calls == 0 ? AFTER_CALLS : DURING_CALLS);
    }

    /** Discards waiting resources that are not idle. For a while no other of their kind is kept. */
    private void discardActive() {
        Map<K, List<S>> waiting;
        synchronized (this) {
            waiting = buckets.waiting();
        }
        waiting.forEach((kind, all) ->
                all.stream().filter(each -> !isResting(kind, each)).forEach(each -> reject(kind, each)));
    }

    private boolean isResting(K kind, S waiting) {
        try {
            return source.isResting(kind, waiting);
        } catch (RuntimeException | OutOfMemoryError e) {
            log.warn("a waiting sandbox can't be checked", e);
            return false;
        }
    }

    private void discard(S resource) {
        try {
            source.discard(resource);
        } catch (RuntimeException | OutOfMemoryError e) {
            log.warn("a sandbox can't be closed", e);
        }
    }

    /** Discards a resource, and starts no other of its kind for a while. Does nothing if a call has taken it. */
    private synchronized void reject(K kind, S waiting) {
        if (buckets.waiting(kind).remove(waiting)) {
            discarded.add(waiting);
            buckets.failed(kind);
        }
    }

    private void fill(K kind) {
        try {
            S started = source.start(kind);
            if (offer(kind, started)) {
                try {
                    background.accept(() -> finishStart(kind, started));
                } catch (RuntimeException | OutOfMemoryError e) { // can't start a thread to wait until it is ready
                    log.warn("a sandbox can't be started in advance: {}", e.toString());
                    reject(kind, started);
                    endStarting();
                }
            }
        } catch (IOException | RuntimeException | OutOfMemoryError e) {
            if (!(e instanceof IOException)) {
                log.warn("a sandbox can't be started in advance", e);
            }
            synchronized (this) {
                buckets.failed(kind);
            }
        }
    }

    /**
     * Waits until the resource is ready, which takes as long as its imports. Runs on a separate thread, so that waiting
     * resources are checked meanwhile.
     */
    private void finishStart(K kind, S started) {
        try {
            long size = source.awaitReady(started).bytes();
            synchronized (this) {
                buckets.measured(kind, size);
            }
        } catch (IOException | RuntimeException | OutOfMemoryError e) {
            log.debug("a sandbox that was started in advance failed", e);
            reject(kind, started);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // does not happen: nothing interrupts this thread
        } finally {
            endStarting();
        }
    }

    private synchronized void endStarting() {
        starting--;
        wake();
    }

    /**
     * Makes a resource available to calls, even before it is ready: it is ready sooner than one that the call would
     * start.
     */
    private boolean offer(K kind, S started) {
        synchronized (this) {
            if (!closed && buckets.contains(kind)) {
                buckets.waiting(kind).add(started);
                starting++;
                return true;
            }
        }
        discard(started);
        return false;
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

    /** An unexpected failure must not end the thread: nothing would check the waiting resources. */
    private Duration maintainSafely() {
        try {
            return maintain();
        } catch (RuntimeException | Error e) {
            log.warn("waiting sandboxes could not be maintained", e);
            return BETWEEN_CHECKS;
        }
    }

    private void maintainForever() {
        try {
            while (true) {
                Duration pause = maintainSafely();
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
            Thread.currentThread().interrupt(); // interrupted by close
        }
    }

    /** Discards all waiting resources. Waits until one that is being started is discarded too. */
    @Override
    public void close() {
        List<S> left = new ArrayList<>();
        Optional<Thread> ending;
        synchronized (this) {
            closed = true;
            left.addAll(buckets.clear());
            left.addAll(discarded);
            discarded.clear();
            ending = keeper;
        }
        ending.ifPresent(Thread::interrupt);
        left.parallelStream().forEach(this::discard);
        ending.ifPresent(Threads::awaitEnd);
    }
}
