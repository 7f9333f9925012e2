package dev.pysandbox.environment.install;

import dev.pysandbox.support.ByteSize;
import dev.pysandbox.support.Threads;
import dev.pysandbox.support.TreeWalk;
import java.io.File;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;

/**
 * Stops an installation that fills the disk.
 *
 * <p>It checks the free space of the file system, which is cheap. If that has shrunk by more than the installation may
 * write, it counts the files of the installation, because other programs write too. It also counts at intervals,
 * because empty files take no space.
 *
 * <p>A count can miss files: the code of a package can remove permissions of a folder, and write to deleted files. If a
 * folder can't be read, all space that the disk has lost counts as the installation's. If several counts in a row find
 * much less than the disk has lost, the installation is stopped too.
 */
public final class DiskGuard implements AutoCloseable {
    private static final Duration BETWEEN_CHECKS = Duration.ofMillis(500);
    private static final int CHECKS_BETWEEN_COUNTS = 10;

    /** The smallest bound: enough for what uv writes to install one or two packages. */
    private static final ByteSize LEAST = ByteSize.parse("64m");

    /** An installation is stopped if the file system has less free space than this, or than this share of its size. */
    private static final ByteSize KEPT_FREE = ByteSize.parse("256m");

    private static final int KEPT_FREE_SHARE = 50;

    /** If the free space has shrunk by less than this, the installation is not the cause. */
    private static final ByteSize HARMLESS = ByteSize.parse("16m");

    /**
     * Suspicious counts in a row before the installation is stopped: a build may make a folder unreadable, and another
     * program may fill the disk, for a moment.
     */
    private static final int SUSPICIOUS_COUNTS = 3;

    private final Disk disk;
    private final Path folder;
    private final ByteSize bound;
    private final Function<ByteSize, Usage> count;
    private long highestFree;
    private long freeAtLastCount;
    private long allowed;
    private int checks;
    private int lockedCounts;
    private int missingCounts;
    private volatile Optional<String> stopReason = Optional.empty();
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
     * The bytes that an installation has written. Above the bound the count need not be exact.
     *
     * @param mayHide whether code of a package runs, which can write files that a count does not find
     */
    public record Usage(long bytes, TreeWalk.Extent extent, boolean mayHide) {}

    /**
     * @param folder the folder to which the installation writes
     * @param bound the most bytes that it may write
     * @param count counts the bytes that it has written so far
     */
    DiskGuard(Disk disk, Path folder, ByteSize bound, Function<ByteSize, Usage> count) {
        this.disk = disk;
        this.folder = folder;
        this.bound = bound.compareTo(LEAST) < 0 ? LEAST : bound;
        this.count = count;
        this.highestFree = disk.free();
        this.freeAtLastCount = highestFree;
        this.allowed = this.bound.bytes();
    }

    /**
     * Starts to watch.
     *
     * @param end stops the installation; called once, on another thread
     */
    public static DiskGuard over(Path folder, ByteSize bound, Function<ByteSize, Usage> count, Runnable end) {
        DiskGuard guard = new DiskGuard(Disk.of(folder), folder, bound, count);
        guard.thread = Optional.of(Threads.startDaemon("disk-guard", () -> guard.watch(end)));
        return guard;
    }

    /** Returns why the installation was stopped; empty if it was not. */
    public Optional<String> stopReason() {
        return stopReason;
    }

    private void watch(Runnable end) {
        try {
            while (stopReason.isEmpty()) {
                Thread.sleep(BETWEEN_CHECKS.toMillis());
                check();
            }
            end.run();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // the installation has ended
        }
    }

    /** Checks once, and counts if needed. */
    void check() {
        long free = disk.free();
        // Space that another program frees does not count for this installation.
        highestFree = Math.max(highestFree, free);
        freeAtLastCount = Math.max(freeAtLastCount, free);
        checks++;
        boolean shrunk = freeAtLastCount - free > allowed;
        if (free < keptFree() && highestFree - free > HARMLESS.bytes()) {
            stopReason = Optional.of(nearlyFull());
        } else if (shrunk || missingCounts > 0 || checks % CHECKS_BETWEEN_COUNTS == 0) {
            Usage usage = count.apply(bound);
            stopReason = reasonToStop(usage, shrunk, highestFree - free);
            if (shrunk) { // other programs wrote it, unless the installation is stopped
                freeAtLastCount = free;
                allowed = Math.max(HARMLESS.bytes(), bound.bytes() - usage.bytes());
            }
        }
    }

    private Optional<String> reasonToStop(Usage usage, boolean shrunk, long lost) {
        boolean isLocked = usage.extent() == TreeWalk.Extent.PARTLY_LOCKED;
        lockedCounts = isLocked ? lockedCounts + 1 : 0;
        missingCounts = usage.mayHide() && lost - usage.bytes() > 2 * bound.bytes() ? missingCounts + 1 : 0;
        if (usage.extent() == TreeWalk.Extent.TOO_LARGE) {
            return Optional.of("The installation was stopped: it created too many files or folders. To fix: use other"
                    + " packages.");
        }
        if (shrunk && (isLocked ? Math.max(lost, usage.bytes()) : usage.bytes()) > bound.bytes()) {
            return Optional.of("The installation was stopped: it wrote more than the " + bound
                    + " that --max-cache-size allows. To fix: use fewer or smaller packages, or raise"
                    + " --max-cache-size.");
        }
        if (lockedCounts == SUSPICIOUS_COUNTS) {
            return Optional.of("The installation was stopped: it keeps folders that the server can't read. To fix: use"
                    + " other packages.");
        }
        return missingCounts == SUSPICIOUS_COUNTS
                ? Optional.of("The installation was stopped: meanwhile the disk of the cache folder lost "
                        + new ByteSize(lost).readable()
                        + ", of which only " + new ByteSize(usage.bytes()).readable()
                        + " were found in files. To fix: use other"
                        + " packages, or try again when no other program fills the disk of " + folder + ".")
                : Optional.empty();
    }

    private String nearlyFull() {
        return "The installation was stopped: the disk of the cache folder " + folder
                + " is nearly full. To fix: make room there, run java -jar sandbox.jar clean, or choose another folder"
                + " with --cache-dir.";
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
