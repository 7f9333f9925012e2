package dev.pysandbox.env;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/**
 * Environments that this server has asked for a short while ago, each held by its lock: they can be used without
 * another look, and are not removed between being prepared and being used.
 */
final class RecentUses {
    private static final Duration GRACE = Duration.ofMinutes(2);
    private static final Duration TOUCH = Duration.ofMinutes(1);

    private final Chores chores;
    private final Map<Path, Use> uses = new HashMap<>();

    RecentUses(Chores chores) {
        this.chores = chores;
    }

    /** Whether it is held, and still there. */
    synchronized boolean renew(Path place) {
        Use use = uses.get(place);
        if (use == null || !Files.exists(place.resolve("pyvenv.cfg"))) {
            return false;
        }
        use.last = Instant.now();
        if (use.touched.plus(TOUCH).isBefore(use.last)) {
            use.touched = use.last;
            touch(place);
        }
        return true;
    }

    synchronized void add(Path place, SharedLocks.Held lock) {
        Use replaced = uses.put(place, new Use(lock));
        if (replaced == null) {
            releaseLater(place, GRACE);
        } else {
            replaced.lock.close();
        }
    }

    private void releaseLater(Path place, Duration delay) {
        chores.later("releasing an environment", delay, () -> releaseIfIdle(place));
    }

    private synchronized void releaseIfIdle(Path place) {
        Use use = uses.get(place);
        if (use == null) {
            return;
        }
        Duration left = Duration.between(Instant.now(), use.last.plus(GRACE));
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
            Files.setLastModifiedTime(place, FileTime.from(Instant.now()));
        } catch (IOException e) {
            // A folder that can't be written to can still be read from.
        }
    }

    /** A lock, and how long it has not been needed. */
    private static final class Use {
        private final SharedLocks.Held lock;
        private Instant last = Instant.now();
        private Instant touched = Instant.EPOCH;

        Use(SharedLocks.Held lock) {
            this.lock = lock;
        }
    }
}
