package dev.pysandbox.environment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Uses a monotonic clock, as the program does: a change of the wall clock has no effect. */
class RecentUsesTest {
    private static final FileTime LONG_AGO = FileTime.fromMillis(1_000_000);

    @TempDir
    Path place;

    private final BackgroundTasks background = new BackgroundTasks();
    private final AtomicInteger released = new AtomicInteger();
    private final AtomicLong nanos = new AtomicLong();
    private final RecentUses recent = new RecentUses(background, nanos::get);

    @BeforeEach
    void use() throws IOException {
        Files.writeString(place.resolve("pyvenv.cfg"), "");
        recent.add(place, released::incrementAndGet);
    }

    @AfterEach
    void close() {
        background.close();
    }

    @Test
    void theFirstUseIsWrittenDown() throws IOException {
        assertTrue(renewingWrites(Duration.ZERO));
    }

    @Test
    void laterUsesAreWrittenDownOncePerMinute() throws IOException {
        recent.renew(place);
        assertFalse(renewingWrites(Duration.ofSeconds(59)));
        assertTrue(renewingWrites(Duration.ofSeconds(2)));
        assertFalse(renewingWrites(Duration.ofSeconds(1)));
    }

    @Test
    void oneThatIsGoneIsNotRenewed() throws IOException {
        Files.delete(place.resolve("pyvenv.cfg"));
        assertFalse(recent.renew(place));
    }

    @Test
    void closingReleasesTheLocks() {
        recent.close();
        assertEquals(1, released.get());
        assertFalse(recent.renew(place));
    }

    @Test
    void aLockThatComesAfterTheCloseIsReleased() {
        recent.close();
        recent.add(place, released::incrementAndGet);
        assertEquals(2, released.get());
    }

    private boolean renewingWrites(Duration later) throws IOException {
        Files.setLastModifiedTime(place, LONG_AGO);
        nanos.addAndGet(later.toNanos());
        assertTrue(recent.renew(place));
        FileTime written = Files.getLastModifiedTime(place);
        if (!written.equals(LONG_AGO)) {
            assertTrue(Math.abs(System.currentTimeMillis() - written.toMillis()) < 60_000);
        }
        return !written.equals(LONG_AGO);
    }
}
