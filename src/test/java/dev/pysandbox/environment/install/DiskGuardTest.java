package dev.pysandbox.environment.install;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pysandbox.support.ByteSize;
import dev.pysandbox.support.TreeWalk;
import dev.pysandbox.support.TreeWalk.Extent;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Calls each check directly, with a simulated disk and installation. All numbers are MiB. */
class DiskGuardTest {
    private static final int BOUND = 100;
    private static final int LOOKS_BETWEEN_COUNTS = 10;

    private long size = 100_000;
    private long free = 50_000;
    private long written;
    private Extent extent = Extent.WHOLE;
    private boolean mayHide = true;
    private int counts;

    private final DiskGuard guard = new DiskGuard(
            new DiskGuard.Disk() {
                @Override
                public long free() {
                    return free << 20;
                }

                @Override
                public long size() {
                    return size << 20;
                }
            },
            Path.of("/cache"),
            ByteSize.parse(BOUND + "m"),
            enough -> {
                counts++;
                return new DiskGuard.Usage(written << 20, extent, mayHide);
            });

    @Test
    void countsNowAndThenOnlyWhileTheDiskHardlyShrinks() {
        for (int look = 1; look < LOOKS_BETWEEN_COUNTS; look++) {
            write(5);
            guard.check();
        }
        assertEquals(0, counts);
        guard.check();
        assertEquals(1, counts);
        assertGoesOn();
    }

    @Test
    void endsOneThatWritesMoreThanItMay() {
        write(BOUND);
        guard.check();
        assertGoesOn();
        write(1);
        guard.check();
        assertEnded("wrote more than the 100m that --max-cache-size allows");
    }

    @Test
    void doesNotBlameItForWhatOthersWrite() {
        write(20);
        free -= 2 * BOUND;
        for (int look = 0; look < 100; look++) {
            guard.check();
        }
        assertGoesOn();
    }

    @Test
    void endsItWhereOthersWriteToo() {
        free -= BOUND + 1;
        guard.check();
        write(BOUND);
        guard.check();
        assertGoesOn();
        write(HARMLESS + 1);
        guard.check();
        assertEnded("wrote more");
    }

    @Test
    void givesNoRoomThatOthersMake() {
        write(BOUND / 2);
        guard.check();
        free += 1000;
        guard.check();
        write(BOUND + 1);
        guard.check();
        assertEnded("wrote more");
    }

    @Test
    void takesLockedFoldersToHoldAllThatTheDiskLost() {
        extent = Extent.PARTLY_LOCKED;
        free -= BOUND + 1;
        guard.check();
        assertEnded("wrote more");
    }

    @Test
    void endsOneThatKeepsFoldersLockedButNotOneThatDoesForAMoment() {
        extent = Extent.PARTLY_LOCKED;
        count();
        count();
        extent = Extent.WHOLE;
        count();
        extent = Extent.PARTLY_LOCKED;
        count();
        count();
        assertGoesOn();
        count();
        assertEnded("keeps folders that the server can't read");
    }

    @Test
    void endsOneAfterSeveralCountsInARowThatDoNotFindWhatTheDiskLost() {
        free -= 2 * BOUND + 1;
        guard.check();
        guard.check();
        free += 1; // another program has deleted files
        guard.check();
        free -= 1;
        count();
        guard.check();
        assertGoesOn();
        guard.check();
        assertEnded("lost 201.0 MiB, of which only 0 bytes were found in files");
    }

    @Test
    void countsAtOnceWhileADiskShrinksFast() {
        for (int look = 1; look <= 4; look++) {
            assertGoesOn();
            free -= BOUND + 1;
            guard.check();
        }
        assertEnded("lost 404.0 MiB, of which only 0 bytes were found");
    }

    @Test
    void lacksNothingWhereOnlyUvWrites() {
        mayHide = false;
        free -= 10 * BOUND;
        count();
        count();
        count();
        count();
        assertGoesOn();
    }

    @Test
    void endsOneThatMakesTooManyFiles() {
        extent = Extent.TOO_LARGE;
        count();
        assertEnded("too many files or folders");
    }

    @Test
    void endsOneThatNearlyFillsTheDisk() {
        free = 300;
        guard.check();
        write(HARMLESS + 1);
        free = 255;
        guard.check();
        assertEnded("nearly full");
    }

    @Test
    void doesNotEndOneOnADiskThatIsFullAlready() {
        DiskGuard late = new DiskGuard(
                new DiskGuard.Disk() {
                    @Override
                    public long free() {
                        return 100 << 20;
                    }

                    @Override
                    public long size() {
                        return size << 20;
                    }
                },
                Path.of("/cache"),
                ByteSize.parse("1g"),
                enough -> new DiskGuard.Usage(0, TreeWalk.Extent.WHOLE, true));
        late.check();
        assertEquals(Optional.empty(), late.stopReason());
    }

    private static final int HARMLESS = 16;

    private void write(int mebibytes) {
        written += mebibytes;
        free -= mebibytes;
    }

    private void count() {
        int before = counts;
        while (counts == before) {
            guard.check();
        }
    }

    private void assertGoesOn() {
        assertEquals(Optional.empty(), guard.stopReason());
    }

    private void assertEnded(String reason) {
        assertTrue(guard.stopReason().orElse("goes on").contains(reason), () -> "" + guard.stopReason());
    }
}
