package dev.pysandbox.environment;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Environments that this server has asked for a short while ago, each held by its lock: they can be used without
 * another look, and are not removed between being prepared and being used.
 *
 * <p>Spans are counted by a clock that does not jump; only what other servers read is the time of day.
 */
final class RecentUses {
    private static final Duration GRACE = Duration.ofMinutes(2);
    private static final Duration TOUCH = Duration.ofMinutes(1);

    private final BackgroundTasks background;
    private final LongSupplier nanoTime;
    private final Map<Path, Use> uses = new HashMap<>();

    RecentUses(BackgroundTasks background, LongSupplier nanoTime) {
        this.background = background;
        this.nanoTime = nanoTime;
    }

    /** Whether it is held, and still there. */
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

    /** The least recently used go first. */
    private static void touch(Path place) {
        try {
            CacheEvictor.touch(place);
        } catch (IOException e) {
            // A folder that can't be written to can still be read from.
        }
    }

    /** A lock, and how long it has not been needed. */
    private static final class Use {
        private final SharedLocks.Held lock;
        private long last;
        private long touched;

        Use(SharedLocks.Held lock, long now) {
            this.lock = lock;
            this.last = now;
            this.touched = now - 2 * TOUCH.toNanos(); // so not yet
        }
    }
}
