package dev.pysandbox.execution;

import dev.pysandbox.api.Config.DataFolder;
import dev.pysandbox.sandbox.Volume;
import dev.pysandbox.support.Folders;
import dev.pysandbox.support.Threads;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Creates the volumes of data folders. A script can connect to a socket and write to a named pipe even in a read-only
 * mount, so an empty file is mounted over each of them.
 *
 * <p>Read-only folders are searched for such files before the first sandbox starts, and again in the background when
 * the last search is more than half a minute old. A file that appears after a sandbox has started is not covered in it.
 */
final class DataMounts {
    private static final Logger log = LoggerFactory.getLogger(DataMounts.class);
    static final int MOST_COVERED = 200;
    private static final Duration SEARCH_AGAIN = Duration.ofSeconds(30);

    private final List<DataFolder> folders;
    private final Path empty;
    private final LongSupplier nanoTime;
    private final AtomicBoolean searching = new AtomicBoolean();
    private final Set<DataFolder> warned = new HashSet<>();
    private Map<DataFolder, List<Path>> found = Map.of();
    private long foundAt;

    private DataMounts(List<DataFolder> folders, Path empty, LongSupplier nanoTime) {
        this.folders = folders;
        this.empty = empty;
        this.nanoTime = nanoTime;
    }

    /** @param empty the path at which the empty file is created */
    static DataMounts of(List<DataFolder> folders, Path empty, LongSupplier nanoTime) throws IOException {
        if (!folders.isEmpty()) {
            Folders.setPermissions(Files.createFile(empty), "r--r--r--");
        }
        return new DataMounts(List.copyOf(folders), empty, nanoTime);
    }

    List<Volume> volumes() throws IOException {
        List<Volume> volumes = new ArrayList<>();
        for (DataFolder folder : folders) {
            volumes.add(new Volume.HostFolder(folder.path(), Path.of(folder.target()), folder.writable()));
        }
        for (Map.Entry<DataFolder, List<Path>> entry : special().entrySet()) {
            DataFolder folder = entry.getKey();
            for (Path below : entry.getValue()) {
                // A file that was deleted meanwhile can't be mounted over.
                if (isSpecial(folder.path().resolve(below))) {
                    volumes.add(new Volume.HostFolder(empty, Path.of(folder.target(), below.toString()), false));
                }
            }
        }
        return volumes;
    }

    private synchronized Map<DataFolder, List<Path>> special() throws IOException {
        if (folders.stream().allMatch(DataFolder::writable)) {
            return Map.of();
        }
        if (found.isEmpty()) {
            keep(search());
        } else if (nanoTime.getAsLong() - foundAt > SEARCH_AGAIN.toNanos() && searching.compareAndSet(false, true)) {
            try {
                Threads.startDaemon("data-folders", this::searchAgain);
            } catch (OutOfMemoryError e) { // can't start a thread; the next call tries again
                searching.set(false);
            }
        }
        return found;
    }

    private void searchAgain() {
        try {
            keep(search());
        } catch (IOException e) {
            log.debug("the search for sockets and pipes failed: {}", e.toString());
            keep(Map.of()); // the next call searches itself and reports the error
        } finally {
            searching.set(false);
        }
    }

    private synchronized void keep(Map<DataFolder, List<Path>> latest) {
        found = latest;
        foundAt = nanoTime.getAsLong();
    }

    private Map<DataFolder, List<Path>> search() throws IOException {
        Map<DataFolder, List<Path>> latest = new LinkedHashMap<>();
        for (DataFolder folder : folders) {
            if (!folder.writable()) {
                latest.put(folder, search(folder));
            }
        }
        return latest;
    }

    private List<Path> search(DataFolder folder) throws IOException {
        SpecialFiles special = SpecialFiles.in(folder.path());
        if (special.paths().size() > MOST_COVERED) {
            throw new IOException("--mount " + folder.path() + " holds more than " + MOST_COVERED
                    + " sockets and named pipes; to fix: mount a folder without them");
        }
        synchronized (warned) {
            if (!special.complete() && warned.add(folder)) {
                log.warn(
                        "--mount {} holds more than {} files: scripts can use sockets and named pipes in the rest;"
                                + " to fix: mount a smaller folder",
                        folder.path(),
                        SpecialFiles.MOST_ENTRIES);
            }
        }
        return special.paths();
    }

    static boolean isSpecial(Path path) {
        try {
            return Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
                    .isOther();
        } catch (IOException e) {
            return false;
        }
    }
}
