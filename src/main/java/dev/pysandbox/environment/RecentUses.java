package dev.pysandbox.environment;

import dev.pysandbox.support.SharedLocks;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Holds the locks of environments that this server has used recently. They can be used again without new locks, and are
 * not removed between their preparation and their use.
 *
 * <p>Durations are measured with a monotonic clock. Only the modification times, which other servers read, are
 * wall-clock time.
 */
final class RecentUses implements AutoCloseable {
    private static final Duration GRACE = Duration.ofMinutes(2);
    private static final Duration TOUCH = Duration.ofMinutes(1);

    private final BackgroundTasks background;
    private final LongSupplier nanoTime;
    private final Map<Path, Use> uses = new HashMap<>();
    private boolean closed;

    RecentUses(BackgroundTasks background, LongSupplier nanoTime) {
        this.background = background;
        this.nanoTime = nanoTime;
    }

    /** Returns whether its lock is held and it still exists; if so, extends the time until the lock is released. */
    synchronized boolean renew(Path place) {
        Use use = uses.get(place);
        if (use == null || !Skeleton.isAt(place)) {
            return false;
        }
        use.last = nanoTime.getAsLong();
        if (use.last - use.touched > TOUCH.toNanos()) {
            use.touched = use.last;
            touch(place);
        }
        return true;
    }

    synchronized void add(Path place, SharedLocks.Held lock) {
        if (closed) {
            lock.close();
            return;
        }
        Use replaced = uses.put(place, new Use(lock, nanoTime.getAsLong()));
        if (replaced == null) {
            releaseLater(place, GRACE);
        } else {
            replaced.lock.close();
        }
    }

    private void releaseLater(Path place, Duration delay) {
        background.later("releasing an environment", delay, () -> releaseIfIdle(place));
    }

    private synchronized void releaseIfIdle(Path place) {
        Use use = uses.get(place);
        if (use == null) {
            return;
        }
        Duration left = GRACE.minusNanos(nanoTime.getAsLong() - use.last);
        if (left.isNegative() || left.isZero()) {
            uses.remove(place);
            use.lock.close();
        } else {
            releaseLater(place, left.plusMillis(1));
        }
    }

    /** Releases all locks. A lock that is added later is released at once. */
    @Override
    public synchronized void close() {
        closed = true;
        uses.values().forEach(use -> use.lock.close());
        uses.clear();
    }

    /** Records the use, because the least recently used environments are deleted first. */
    private static void touch(Path place) {
        try {
            CacheEvictor.touch(place);
        } catch (IOException e) {
            // A read-only folder can still be used.
        }
    }

    /** A lock, with the times of the last use and the last update of the modification time. */
    private static final class Use {
        private final SharedLocks.Held lock;
        private long last;
        private long touched;

        Use(SharedLocks.Held lock, long now) {
            this.lock = lock;
            this.last = now;
            this.touched = now - 2 * TOUCH.toNanos(); // so that the next use updates it
        }
    }
}
