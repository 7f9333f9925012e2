package dev.pysandbox.env;

import dev.pysandbox.process.ByteSize;
import dev.pysandbox.process.TreeWalk;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Counts what an installation has written: all of a stage for builds, else the environment and what is new in uv's cache. */
final class StageUsage {
    private static final int MOST_FILES = 500_000;

    private final List<Path> whole;
    private final List<Path> caches;
    private final Instant start;
    private long bytes;
    private TreeWalk.Extent extent = TreeWalk.Extent.WHOLE;

    private StageUsage(List<Path> whole, List<Path> caches, Instant start) {
        this.whole = whole;
        this.caches = caches;
        this.start = start;
    }

    /** In a stage where packages' code runs: any file may be anywhere. */
    static DiskGuard.Usage ofBuild(Path root, ByteSize enough) {
        return new StageUsage(List.of(root), List.of(), Instant.EPOCH).count(enough);
    }

    /** In a stage where only uv writes: it unpacks each wheel into a new folder of its cache, and moves it a level down. */
    static DiskGuard.Usage ofWheels(Path environment, Path cache, Instant start, ByteSize enough) {
        return new StageUsage(List.of(environment), List.of(cache), start).count(enough);
    }

    private DiskGuard.Usage count(ByteSize enough) {
        whole.forEach(this::add);
        for (Path cache : caches) {
            for (Path bucket : list(cache)) {
                List<Path> entries = isUnpacking(bucket) ? List.of(bucket) : list(bucket);
                entries.stream()
                        .filter(entry -> bytes <= enough.bytes() && isNew(entry))
                        .forEach(this::add);
            }
        }
        return new DiskGuard.Usage(bytes, extent, caches.isEmpty());
    }

    private static boolean isUnpacking(Path bucket) {
        return bucket.getFileName().toString().startsWith(".tmp");
    }

    private void add(Path folder) {
        found(TreeWalk.of(folder, MOST_FILES, attributes -> bytes += attributes.size()));
    }

    private void found(TreeWalk.Extent less) {
        extent = less.compareTo(extent) > 0 ? less : extent;
    }

    private boolean isNew(Path entry) {
        try {
            return !Files.getLastModifiedTime(entry, LinkOption.NOFOLLOW_LINKS)
                    .toInstant()
                    .isBefore(start);
        } catch (IOException e) {
            return false;
        }
    }

    private List<Path> list(Path folder) {
        if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
            return List.of();
        }
        try (DirectoryStream<Path> found = Files.newDirectoryStream(folder)) {
            List<Path> names = new ArrayList<>();
            found.forEach(names::add);
            return names;
        } catch (AccessDeniedException e) {
            found(TreeWalk.Extent.PARTLY_LOCKED);
            return List.of();
        } catch (IOException | DirectoryIteratorException e) {
            return List.of(); // it went meanwhile
        }
    }
}
