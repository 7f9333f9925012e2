package dev.pysandbox.environment;

import dev.pysandbox.support.ByteSize;
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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps environments and uv's cache within their size limit: deletes the least recently used ones. */
final class CacheEvictor {
    private static final Logger log = LoggerFactory.getLogger(CacheEvictor.class);

    /** The lock that installations share, so that uv's cache stays while they go on. */
    static final String CACHE = "cache";

    private final Path environments;
    private final Installer installer;
    private final ByteSize budget;

    CacheEvictor(Path environments, Installer installer, ByteSize budget) {
        this.environments = environments;
        this.installer = installer;
        this.budget = budget;
    }

    void cacheWasUsed() throws IOException {
        if (isFolder(installer.cache())) {
            touch(installer.cache());
        }
    }

    /** Says that a folder was used now. */
    static void touch(Path folder) throws IOException {
        Files.getFileAttributeView(folder, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
                .setTimes(FileTime.from(Instant.now()), null, null);
    }

    private static boolean isFolder(Path path) {
        return Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS);
    }

    /** Removes what is too much, the least recently used first; one server does it for all. */
    @SuppressWarnings("try") // a lock is held, not looked at
    void makeRoom(SharedLocks locks) throws IOException {
        Optional<SharedLocks.Held> alone = locks.tryExclusive("making room");
        if (alone.isEmpty()) {
            return;
        }
        try (SharedLocks.Held held = alone.get()) {
            List<UvCacheTrimmer.Entry> removed = new UvCacheTrimmer(budget)
                    .trim(entries(), installer.cache(), entry -> remove(entry.folder(), locks));
            if (!removed.isEmpty()) {
                log.info("removed {} of {} that were not used for long", removed.size(), environments.getParent());
            }
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private List<UvCacheTrimmer.Entry> entries() throws IOException {
        List<Path> folders = new ArrayList<>();
        if (isFolder(environments)) {
            try (DirectoryStream<Path> found = Files.newDirectoryStream(environments)) {
                found.forEach(folders::add);
            }
        }
        if (isFolder(installer.cache())) {
            folders.add(installer.cache());
        }
        List<UvCacheTrimmer.Entry> entries = new ArrayList<>();
        for (Path folder : folders) {
            try {
                Instant lastUse = Files.getLastModifiedTime(folder, LinkOption.NOFOLLOW_LINKS)
                        .toInstant();
                entries.add(UvCacheTrimmer.Entry.of(folder, lastUse, Instant.now()));
            } catch (NoSuchFileException e) {
                // Another server has removed it.
            }
        }
        return entries;
    }

    /** Renames under an exclusive lock, then deletes, so no reader sees a partial directory. */
    @SuppressWarnings("try") // a lock is held, not looked at
    private boolean remove(Path folder, SharedLocks locks) {
        String lockName = folder.equals(installer.cache()) ? CACHE : EnvironmentStore.lockName(folder);
        try (Installer.Stage stage = installer.stageForWheels(locks)) {
            Optional<SharedLocks.Held> unused = locks.tryExclusive(lockName);
            if (unused.isEmpty()) {
                return false;
            }
            try (SharedLocks.Held held = unused.get()) {
                Files.move(folder, stage.environment(), StandardCopyOption.ATOMIC_MOVE);
                CompiledMark.of(folder).remove();
            }
            return true;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
