package dev.pysandbox.environment;

import dev.pysandbox.support.ByteSize;
import dev.pysandbox.support.Threads;
import dev.pysandbox.support.TreeWalk;
import java.io.File;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;

/**
 * Ends an installation that fills the disk.
 *
 * <p>It watches the file system's free space, which costs next to nothing. Only when that has shrunk by more than the
 * installation may write does it count what the installation wrote: other programs write too. Now and then it counts
 * anyway, for empty files take no space.
 *
 * <p>A count does not find all that a package's code can write: it can lock a folder, and write to files that it has
 * deleted. What lies in locked folders is taken to be all that the disk lost. Where the disk has lost much more than is
 * found, in several counts in a row, the installation is ended too.
 */
final class DiskGuard implements AutoCloseable {
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(500);
    private static final int LOOKS_BETWEEN_COUNTS = 10;

    /** Less than the smallest useful bound; what uv itself writes for a package or two fits. */
    private static final ByteSize LEAST = ByteSize.parse("64m");

    /** An installation is ended when the file system has no more left than this, or this share of it. */
    private static final ByteSize KEPT_FREE = ByteSize.parse("256m");

    private static final int KEPT_FREE_SHARE = 50;

    /** One that has written less than this is not what fills it. */
    private static final ByteSize HARMLESS = ByteSize.parse("16m");

    /** Counts in a row with the same doubt; a build may lock a folder, and another program fill the disk, for a moment. */
    private static final int MOST_DOUBTS = 3;

    private final Disk disk;
    private final Path folder;
    private final ByteSize bound;
    private final Function<ByteSize, Usage> count;
    private long most;
    private long mark;
    private long allowed;
    private int looks;
    private int locked;
    private int missing;
    private volatile Optional<String> verdict = Optional.empty();
    private Optional<Thread> thread = Optional.empty();

    /** The file system that the installation writes to. */
    interface Disk {
        long free();

        long size();

        static Disk of(Path folder) {
            File file = folder.toFile();
            return new Disk() {
                @Override
                public long free() {
                    return file.getUsableSpace();
                }

                @Override
                public long size() {
                    return file.getTotalSpace();
                }
            };
        }
    }

    /**
     * How much an installation has written, as far as it was counted: beyond a bound it need not be exact.
     *
     * @param mayHide whether code of a package runs, which may write what is not found
     */
    record Usage(long bytes, TreeWalk.Extent extent, boolean mayHide) {}

    /**
     * @param folder where the installation writes
     * @param bound how much it may write
     * @param count counts what it has written so far
     */
    DiskGuard(Disk disk, Path folder, ByteSize bound, Function<ByteSize, Usage> count) {
        this.disk = disk;
        this.folder = folder;
        this.bound = bound.compareTo(LEAST) < 0 ? LEAST : bound;
        this.count = count;
        this.most = disk.free();
        this.mark = most;
        this.allowed = this.bound.bytes();
    }

    /**
     * Watches from now on.
     *
     * @param end ends the installation; called by another thread, once
     */
    static DiskGuard over(Path folder, ByteSize bound, Function<ByteSize, Usage> count, Runnable end) {
        DiskGuard guard = new DiskGuard(Disk.of(folder), folder, bound, count);
        guard.thread = Optional.of(Threads.startDaemon("disk-guard", () -> guard.watch(end)));
        return guard;
    }

    /** Why the installation was ended, if it was. */
    Optional<String> verdict() {
        return verdict;
    }

    private void watch(Runnable end) {
        try {
            while (verdict.isEmpty()) {
                Thread.sleep(BETWEEN_LOOKS.toMillis());
                look();
            }
            end.run();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // the installation is over
        }
    }

    /** Looks once, and counts if need be. */
    void look() {
        long free = disk.free();
        most = Math.max(most, free); // what another program frees is no room for this one
        mark = Math.max(mark, free);
        looks++;
        boolean shrunk = mark - free > allowed;
        if (free < keptFree() && most - free > HARMLESS.bytes()) {
            verdict = Optional.of(nearlyFull());
        } else if (shrunk || missing > 0 || looks % LOOKS_BETWEEN_COUNTS == 0) {
            Usage usage = count.apply(bound);
            verdict = judge(usage, shrunk, most - free);
            if (shrunk) { // by others, as far as is known
                mark = free;
                allowed = Math.max(HARMLESS.bytes(), bound.bytes() - usage.bytes());
            }
        }
    }

    private Optional<String> judge(Usage usage, boolean shrunk, long lost) {
        boolean isLocked = usage.extent() == TreeWalk.Extent.PARTLY_LOCKED;
        locked = isLocked ? locked + 1 : 0;
        missing = usage.mayHide() && lost - usage.bytes() > 2 * bound.bytes() ? missing + 1 : 0;
        if (usage.extent() == TreeWalk.Extent.TOO_LARGE) {
            return Optional.of("The installation was stopped: it made too many files or folders. To fix: ask for other"
                    + " packages.");
        }
        if (shrunk && (isLocked ? Math.max(lost, usage.bytes()) : usage.bytes()) > bound.bytes()) {
            return Optional.of("The installation was stopped: it wrote more than the " + bound
                    + " that --max-cache-size allows. To fix: ask for fewer or smaller packages, or raise"
                    + " --max-cache-size.");
        }
        if (locked == MOST_DOUBTS) {
            return Optional.of("The installation was stopped: it keeps folders that the server can't read. To fix: ask"
                    + " for other packages.");
        }
        return missing == MOST_DOUBTS
                ? Optional.of("The installation was stopped: meanwhile the disk of the cache folder lost "
                        + mebibytes(lost)
                        + ", of which only " + mebibytes(usage.bytes()) + " were found in files. To fix: ask for other"
                        + " packages, or try again when no other program fills the disk of " + folder + ".")
                : Optional.empty();
    }

    private static String mebibytes(long bytes) {
        return (bytes >> 20) + " MiB";
    }

    private String nearlyFull() {
        return "The installation was stopped: the disk of the cache folder " + folder
                + " is nearly full. To fix: make room there, run: clean, or choose another folder with --cache-dir.";
    }

    private long keptFree() {
        return Math.min(KEPT_FREE.bytes(), disk.size() / KEPT_FREE_SHARE);
    }

    /** Stops watching. */
    @Override
    public void close() {
        thread.ifPresent(Thread::interrupt);
    }
}
