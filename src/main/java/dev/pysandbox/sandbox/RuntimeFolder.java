package dev.pysandbox.sandbox;

import dev.pysandbox.process.Folders;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.UserPrincipal;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The folder for what lives no longer than this server; those of servers that were killed are removed at start. */
public final class RuntimeFolder implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(RuntimeFolder.class);
    private static final String PREFIX = "python-sandbox-";

    /** Those of this process: to open and close such a lock's file once more would give up the lock. */
    private static final Set<Path> OURS = ConcurrentHashMap.newKeySet();

    private final Path path;
    private final FileChannel lock;
    private final AtomicLong number = new AtomicLong();

    private RuntimeFolder(Path path, FileChannel lock) {
        this.path = path;
        this.lock = lock;
    }

    /** Makes a new one in the system's folder for temporary files. */
    public static RuntimeFolder create() throws IOException {
        Path parent = Path.of(System.getProperty("java.io.tmpdir")).toAbsolutePath();
        Path path = Files.createTempDirectory(parent, PREFIX);
        OURS.add(path);
        FileChannel lock = FileChannel.open(lockOf(path), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        lock.lock();
        sweep(parent, Files.getOwner(path));
        return new RuntimeFolder(path, lock);
    }

    public Path path() {
        return path;
    }

    /** A path in it that was not given out before. */
    Path fresh(String name) {
        return path.resolve(name + "-" + number.incrementAndGet());
    }

    @Override
    public void close() {
        try {
            Folders.delete(path);
            lock.close();
            OURS.remove(path);
        } catch (IOException e) {
            log.warn("can't remove {}: {}", path, e.toString());
        }
    }

    private static Path lockOf(Path folder) {
        return folder.resolve("lock");
    }

    private static void sweep(Path parent, UserPrincipal self) {
        try (DirectoryStream<Path> folders = Files.newDirectoryStream(parent, PREFIX + "*")) {
            for (Path folder : folders) {
                if (!OURS.contains(folder)) {
                    removeIfDead(folder, self);
                }
            }
        } catch (IOException e) {
            log.debug("can't look for leftovers in {}: {}", parent, e.toString());
        }
    }

    private static void removeIfDead(Path folder, UserPrincipal self) {
        try {
            // Anyone can make a folder of this name here: only our own count.
            if (!Files.getOwner(folder, LinkOption.NOFOLLOW_LINKS).equals(self) || !Files.exists(lockOf(folder))) {
                return;
            }
            try (FileChannel channel = FileChannel.open(lockOf(folder), StandardOpenOption.WRITE);
                    FileLock lock = channel.tryLock()) {
                if (lock != null) {
                    Folders.delete(folder);
                }
            }
        } catch (IOException | OverlappingFileLockException e) {
            log.debug("leaving {} alone: {}", folder, e.toString());
        }
    }
}
