package dev.pysandbox.environment.install;

import dev.pysandbox.support.ByteSize;
import dev.pysandbox.support.TreeWalk;
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

/** Counts the bytes that an installation has written. */
public final class StageUsage {
    private static final int MOST_FILES = 500_000;

    private long bytes;
    private TreeWalk.Extent extent = TreeWalk.Extent.WHOLE;

    /** Counts all files of a stage for builds, because code of packages can write anywhere in it. */
    public static DiskGuard.Usage ofBuild(Path root) {
        StageUsage usage = new StageUsage();
        usage.add(root);
        return new DiskGuard.Usage(usage.bytes, usage.extent, true);
    }

    /**
     * Counts in a stage to which only uv writes. uv unpacks each wheel into a new folder of its cache and links the
     * files into the environment. So the result is the larger of the environment and the new files of the cache.
     *
     * @param sharers the number of installations that write to the cache; an equal part of its new files counts for
     *     each
     */
    static DiskGuard.Usage ofWheels(Path environment, Path cache, Instant start, int sharers, ByteSize enough) {
        StageUsage linked = new StageUsage();
        linked.add(environment);
        StageUsage unpacked = new StageUsage();
        for (Path bucket : unpacked.list(cache)) {
            List<Path> entries = isUnpacking(bucket) ? List.of(bucket) : unpacked.list(bucket);
            entries.stream()
                    .filter(entry -> unpacked.bytes <= enough.bytes() * sharers && isNew(entry, start))
                    .forEach(unpacked::add);
        }
        unpacked.found(linked.extent);
        return new DiskGuard.Usage(Math.max(linked.bytes, unpacked.bytes / sharers), unpacked.extent, false);
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

    private static boolean isNew(Path entry, Instant start) {
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
            return List.of(); // it was deleted meanwhile
        }
    }
}
