package dev.pysandbox.support;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Named locks in a folder that several servers share. The system releases the locks of a server that died.
 *
 * <p>Each lock is a byte of one file, which stays open: on POSIX a process loses all its locks of a file when it closes
 * any descriptor of it. Waiting polls, because an interrupt in {@link FileChannel#lock} closes the channel.
 */
public final class SharedLocks {
    /** The name of the file that has all locks of a folder. */
    public static final String FILE = "all";

    private static final Map<Path, SharedLocks> OPEN = new HashMap<>();
    private static final int POLL_MILLISECONDS = 25;

    private final FileChannel channel;
    private final Optional<Object> identity;
    private final Map<Long, Sharing> sharing = new HashMap<>();

    private SharedLocks(FileChannel channel, Optional<Object> identity) {
        this.channel = channel;
        this.identity = identity;
    }

    /** Returns the locks in a folder. Creates the folder if it does not exist. */
    public static SharedLocks in(Path folder) throws IOException {
        Path file = folder.toAbsolutePath().normalize().resolve(FILE);
        synchronized (OPEN) {
            SharedLocks open = OPEN.get(file);
            // If the folder was emptied, other servers use a new file.
            if (open == null || !Files.exists(file) || !open.identity.equals(identityOf(file))) {
                Folders.createPrivate(folder);
                FileChannel channel = FileChannel.open(
                        file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
                open = new SharedLocks(channel, identityOf(file));
                OPEN.put(file, open);
            }
            return open;
        }
    }

    /** A lock that is held until it is closed. */
    public interface Held extends AutoCloseable {
        @Override
        void close();
    }

    /** Acquires an exclusive lock, or returns empty if it is held. */
    public synchronized Optional<Held> tryExclusive(String lockName) throws IOException {
        return lock(place(lockName), false).map(lock -> once(() -> release(lock)));
    }

    /** Waits for an exclusive lock. */
    public Held exclusive(String lockName) throws IOException, InterruptedException {
        Optional<Held> held = tryExclusive(lockName);
        while (held.isEmpty()) {
            TimeUnit.MILLISECONDS.sleep(POLL_MILLISECONDS);
            held = tryExclusive(lockName);
        }
        return held.get();
    }

    /** Waits for a shared lock. */
    public Held shared(String lockName) throws IOException, InterruptedException {
        Optional<Held> held = tryShared(lockName);
        while (held.isEmpty()) {
            TimeUnit.MILLISECONDS.sleep(POLL_MILLISECONDS);
            held = tryShared(lockName);
        }
        return held.get();
    }

    private synchronized Optional<Held> tryShared(String lockName) throws IOException {
        long place = place(lockName);
        Sharing found = sharing.get(place);
        if (found == null) {
            Optional<FileLock> lock = lock(place, true);
            if (lock.isEmpty()) {
                return Optional.empty();
            }
            found = new Sharing(lock.get());
            sharing.put(place, found);
        }
        found.users++;
        return Optional.of(once(() -> leave(place)));
    }

    private synchronized void leave(long place) {
        Sharing left = Objects.requireNonNull(sharing.get(place));
        left.users--;
        if (left.users == 0) {
            sharing.remove(place);
            release(left.lock);
        }
    }

    private Optional<FileLock> lock(long place, boolean shared) throws IOException {
        try {
            return Optional.ofNullable(channel.tryLock(place, 1, shared));
        } catch (OverlappingFileLockException e) {
            return Optional.empty(); // held in this process
        }
    }

    private static void release(FileLock lock) {
        try {
            lock.release();
        } catch (IOException e) {
            // The file was closed, which released the lock.
        }
    }

    private static Held once(Runnable release) {
        AtomicBoolean closed = new AtomicBoolean();
        return () -> {
            if (closed.compareAndSet(false, true)) {
                release.run();
            }
        };
    }

    /** Returns the position of a lock's byte, far beyond the end of the file. */
    private static long place(String lockName) {
        byte[] hash = Sha256.digest().digest(lockName.getBytes(StandardCharsets.UTF_8));
        return ByteBuffer.wrap(hash).getLong() >>> 2;
    }

    private static Optional<Object> identityOf(Path file) throws IOException {
        return Optional.ofNullable(
                Files.readAttributes(file, BasicFileAttributes.class).fileKey());
    }

    /** A lock of this process, and the number of its users. */
    private static final class Sharing {
        private final FileLock lock;
        private int users;

        Sharing(FileLock lock) {
            this.lock = lock;
        }
    }
}
