package dev.pysandbox.env;

import dev.pysandbox.process.ByteSize;
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

    private final File folder;
    private final ByteSize bound;
    private final Function<ByteSize, Usage> count;
    private final Runnable end;
    private final Thread thread = new Thread(this::watch, "disk-guard");
    private volatile Optional<String> verdict = Optional.empty();

    /** How much an installation has written, as far as it was counted: beyond a bound it need not be exact. */
    record Usage(long bytes, boolean tooManyFiles) {}

    private DiskGuard(Path folder, ByteSize bound, Function<ByteSize, Usage> count, Runnable end) {
        this.folder = folder.toFile();
        this.bound = bound.compareTo(LEAST) < 0 ? LEAST : bound;
        this.count = count;
        this.end = end;
    }

    /**
     * Watches from now on.
     *
     * @param folder where the installation writes
     * @param bound how much it may write
     * @param count counts what it has written so far
     * @param end ends it; called by another thread, once
     */
    static DiskGuard over(Path folder, ByteSize bound, Function<ByteSize, Usage> count, Runnable end) {
        DiskGuard guard = new DiskGuard(folder, bound, count, end);
        guard.thread.setDaemon(true);
        guard.thread.start();
        return guard;
    }

    /** Why the installation was ended, if it was. */
    Optional<String> verdict() {
        return verdict;
    }

    private void watch() {
        try {
            long most = folder.getUsableSpace();
            long allowed = bound.bytes();
            for (int look = 1; verdict.isEmpty(); look++) {
                Thread.sleep(BETWEEN_LOOKS.toMillis());
                long free = folder.getUsableSpace();
                most = Math.max(most, free); // what another program frees is no room for this one
                long shrunk = most - free;
                if (free < keptFree() && shrunk > HARMLESS.bytes()) {
                    verdict = Optional.of(nearlyFull());
                } else if (shrunk > allowed || look % LOOKS_BETWEEN_COUNTS == 0) {
                    Usage usage = count.apply(bound);
                    verdict = judge(usage, shrunk > allowed);
                    if (shrunk > allowed) { // by others
                        most = free;
                        allowed = bound.bytes() - usage.bytes();
                    }
                }
            }
            end.run();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // the installation is over
        }
    }

    private Optional<String> judge(Usage usage, boolean shrunk) {
        if (usage.tooManyFiles()) {
            return Optional.of("The installation was stopped: it made too many files or folders. To fix: ask for other"
                    + " packages.");
        }
        return shrunk && usage.bytes() > bound.bytes()
                ? Optional.of("The installation was stopped: it wrote more than the " + bound
                        + " that --max-cache-size allows. To fix: ask for fewer or smaller packages, or raise"
                        + " --max-cache-size.")
                : Optional.empty();
    }

    private String nearlyFull() {
        return "The installation was stopped: the disk of the cache folder " + folder
                + " is nearly full. To fix: make room there, run: clean, or choose another folder with --cache-dir.";
    }

    private long keptFree() {
        return Math.min(KEPT_FREE.bytes(), folder.getTotalSpace() / KEPT_FREE_SHARE);
    }

    /** Stops watching. */
    @Override
    public void close() {
        thread.interrupt();
    }
}
