package dev.pysandbox.environment;

import dev.pysandbox.environment.install.Stage;
import dev.pysandbox.environment.install.Stages;
import dev.pysandbox.support.ByteSize;
import dev.pysandbox.support.SharedLocks;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps environments and uv's cache within their size limit by deleting the least recently used ones. */
final class CacheEvictor {
    private static final Logger log = LoggerFactory.getLogger(CacheEvictor.class);

    /** The lock that installations share, so that uv's cache is not deleted while they run. */
    static final String CACHE = "cache";

    private final Path environments;
    private final Stages stages;
    private final ByteSize budget;

    CacheEvictor(Path environments, Stages stages, ByteSize budget) {
        this.environments = environments;
        this.stages = stages;
        this.budget = budget;
    }

    void cacheWasUsed() throws IOException {
        if (isFolder(stages.uvCache())) {
            touch(stages.uvCache());
        }
    }

    /** Records the current time as the last use of a folder. */
    static void touch(Path folder) throws IOException {
        Files.getFileAttributeView(folder, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
                .setTimes(FileTime.from(Instant.now()), null, null);
    }

    private static boolean isFolder(Path path) {
        return Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS);
    }

    /**
     * Deletes the least recently used folders until the rest fits. Does nothing if another server is doing it.
     *
     * @return whether it is worth trying again soon: another server is doing it, or an installation uses a cache of uv
     *     that is to be deleted
     */
    @SuppressWarnings("try") // the variable only holds the lock
    boolean makeRoom(SharedLocks locks) throws IOException {
        Optional<SharedLocks.Held> alone = locks.tryExclusive("making room");
        if (alone.isEmpty()) {
            return true; // it may have a larger limit
        }
        AtomicBoolean cacheInUse = new AtomicBoolean();
        try (SharedLocks.Held held = alone.get()) {
            List<EvictionPlan.Entry> removed = new EvictionPlan(budget).evict(entries(), stages.uvCaches(), entry -> {
                boolean done = remove(entry.folder(), locks);
                if (!done && stages.uvCaches().contains(entry.folder())) {
                    cacheInUse.set(true);
                }
                return done;
            });
            if (!removed.isEmpty()) {
                log.info("removed the {} least recently used folders of {}", removed.size(), environments.getParent());
            }
            return cacheInUse.get();
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private List<EvictionPlan.Entry> entries() throws IOException {
        List<Path> folders = new ArrayList<>();
        if (isFolder(environments)) {
            try (DirectoryStream<Path> found = Files.newDirectoryStream(environments)) {
                found.forEach(folders::add);
            }
        }
        stages.uvCaches().stream().filter(CacheEvictor::isFolder).forEach(folders::add);
        List<EvictionPlan.Entry> entries = new ArrayList<>();
        for (Path folder : folders) {
            try {
                Instant lastUse = Files.getLastModifiedTime(folder, LinkOption.NOFOLLOW_LINKS)
                        .toInstant();
                entries.add(EvictionPlan.Entry.of(folder, lastUse, Instant.now()));
            } catch (NoSuchFileException e) {
                // Another server has removed it.
            }
        }
        return entries;
    }

    /** Renames under an exclusive lock, then deletes, so no reader sees a partial directory. */
    @SuppressWarnings("try") // the variable only holds the lock
    private boolean remove(Path folder, SharedLocks locks) {
        String lockName = stages.uvCaches().contains(folder) ? CACHE : EnvironmentStore.lockName(folder);
        try (Stage stage = stages.forWheels(locks)) {
            Optional<SharedLocks.Held> unused = locks.tryExclusive(lockName);
            if (unused.isEmpty()) {
                return false;
            }
            try (SharedLocks.Held held = unused.get()) {
                Files.move(folder, stage.environment(), StandardCopyOption.ATOMIC_MOVE);
                CompiledMark.of(folder).remove();
                if (lockName.equals(CACHE)) {
                    WheelBytecode.forget(CompiledMark.of(folder).file().resolveSibling(""), stage.environment());
                }
            }
            return true;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
