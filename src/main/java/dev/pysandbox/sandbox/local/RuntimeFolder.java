package dev.pysandbox.sandbox.local;

import dev.pysandbox.support.Folders;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.UserPrincipal;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A folder for files that are deleted when this server ends. Creating it deletes the folders of killed servers. */
public final class RuntimeFolder implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(RuntimeFolder.class);
    private static final String PREFIX = "python-sandbox-";
    private static final int WRITABLE_FOR_OTHERS = 0002;
    private static final int STICKY = 01000;

    private final Path path;
    private final FileChannel lock;
    private final AtomicLong number = new AtomicLong();

    private RuntimeFolder(Path path, FileChannel lock) {
        this.path = path;
        this.lock = lock;
    }

    /** Creates a folder in the system's temporary folder. */
    public static RuntimeFolder create() throws IOException {
        return createIn(Path.of(System.getProperty("java.io.tmpdir")));
    }

    static RuntimeFolder createIn(Path temporary) throws IOException {
        Path parent = temporary.toAbsolutePath();
        refuseIfOthersCanReplace(parent.toRealPath());
        // Other servers delete unlocked folders with the prefix, so it is renamed only after it is locked.
        Path unlocked = Files.createTempDirectory(parent, "." + PREFIX);
        FileChannel lock = FileChannel.open(lockOf(unlocked), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        lock.lock();
        Path path = Files.move(
                unlocked,
                parent.resolve(unlocked.getFileName().toString().substring(1)),
                StandardCopyOption.ATOMIC_MOVE);
        sweep(parent, path);
        return new RuntimeFolder(path, lock);
    }

    /** Refuses a parent folder that is writable for all and lacks the sticky bit: others could rename our folder. */
    private static void refuseIfOthersCanReplace(Path parent) throws IOException {
        if (!parent.getFileSystem().supportedFileAttributeViews().contains("unix")) {
            return;
        }
        for (Path above = parent; above != null; above = above.getParent()) {
            int mode = (Integer) Files.getAttribute(above, "unix:mode");
            if ((mode & WRITABLE_FOR_OTHERS) != 0 && (mode & STICKY) == 0) {
                throw new IllegalArgumentException(
                        "temporary files are not safe in " + parent + ": every user can replace what is in " + above
                                + "; to fix: chmod +t " + above + ", or set TMPDIR to another folder");
            }
        }
    }

    public Path path() {
        return path;
    }

    /** Returns a path in this folder that was not returned before. */
    public Path fresh(String name) {
        return path.resolve(name + "-" + number.incrementAndGet());
    }

    @Override
    public void close() {
        try {
            Folders.delete(path);
            lock.close();
        } catch (IOException e) {
            log.warn("can't remove {}: {}", path, e.toString());
        }
    }

    private static Path lockOf(Path folder) {
        return folder.resolve("lock");
    }

    private static void sweep(Path parent, Path own) {
        try (DirectoryStream<Path> folders = Files.newDirectoryStream(parent, PREFIX + "*")) {
            UserPrincipal self = Files.getOwner(own);
            for (Path folder : folders) {
                // Not this server's: closing a second channel of a file releases the locks of the first.
                if (!folder.equals(own)) {
                    removeIfDead(folder, self);
                }
            }
        } catch (IOException e) {
            log.debug("can't search for leftovers in {}: {}", parent, e.toString());
        }
    }

    private static void removeIfDead(Path folder, UserPrincipal self) {
        try {
            // Any user can create a folder with this name, so only folders of the same user are deleted.
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
            log.debug("did not remove {}: {}", folder, e.toString());
        }
    }
}
