package dev.pysandbox.environment.install;

import dev.pysandbox.sandbox.Sandbox;
import dev.pysandbox.support.CacheFolder;
import dev.pysandbox.support.Folders;
import dev.pysandbox.support.SharedLocks;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Creates the folders in which environments are created, and removes those of servers that were killed. */
public final class Stages {
    private static final Logger log = LoggerFactory.getLogger(Stages.class);
    private static final String CACHE = "cache";
    /** A server that is root installs as another user if the sandbox isolates; uv can't use the cache of both. */
    private static final String CACHE_WITHOUT_ISOLATION = "cache-without-isolation";

    /** 32 hexadecimal digits. Folders with other names are never removed as leftovers. */
    private static final String NAMES = "[0-9a-f]".repeat(32);

    private final Path wheels;
    private final Path builds;
    private final Sandbox sandbox;
    private final AtomicInteger installingWheels = new AtomicInteger();

    Stages(Path cacheDir, Sandbox sandbox) {
        this.wheels = CacheFolder.INSTALL.in(cacheDir);
        this.builds = CacheFolder.BUILDS.in(cacheDir);
        this.sandbox = sandbox;
    }

    /** Creates a stage with the cache that all installations of wheels share. */
    public Stage forWheels(SharedLocks locks) throws IOException {
        String name = newName();
        sandbox.allowWriting(Folders.createPrivate(wheels));
        SharedLocks.Held owner = locks.tryExclusive(name).orElseThrow();
        installingWheels.incrementAndGet();
        return new Stage(wheels, name, uvCache().getFileName().toString(), false, installingWheels, owner);
    }

    /** Creates a stage with a separate cache, for an installation that runs code of packages. */
    public Stage forBuilds(SharedLocks locks) throws IOException {
        String name = newName();
        Path root = Folders.createPrivate(builds).resolve(name);
        SharedLocks.Held owner = locks.tryExclusive(name).orElseThrow();
        try {
            sandbox.allowWriting(Folders.createPrivate(root));
            return new Stage(root, "environment", CACHE, true, new AtomicInteger(1), owner);
        } catch (IOException e) {
            owner.close();
            throw e;
        }
    }

    private static String newName() {
        return UUID.randomUUID().toString().replace("-", "");
    }

    /** Returns the folder of uv's cache for this sandbox. */
    public Path uvCache() {
        return wheels.resolve(sandbox.capabilities().isolates() ? CACHE : CACHE_WITHOUT_ISOLATION);
    }

    /** Returns the folders of uv's caches for all sandboxes. */
    public List<Path> uvCaches() {
        return List.of(wheels.resolve(CACHE), wheels.resolve(CACHE_WITHOUT_ISOLATION));
    }

    /** Removes the stages of servers that were killed. */
    public void removeLeftovers(SharedLocks locks) throws IOException {
        removeLeftovers(wheels, locks);
        removeLeftovers(builds, locks);
    }

    @SuppressWarnings("try") // the variable only holds the lock
    private static void removeLeftovers(Path stages, SharedLocks locks) throws IOException {
        if (!Files.isDirectory(stages, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        try (DirectoryStream<Path> found = Files.newDirectoryStream(stages, NAMES)) {
            for (Path path : found) {
                Optional<SharedLocks.Held> owner =
                        locks.tryExclusive(path.getFileName().toString());
                if (owner.isPresent()) {
                    try (SharedLocks.Held held = owner.get()) {
                        Folders.delete(path);
                    } catch (IOException e) {
                        log.warn("can't remove {}: {}", path, e.toString()); // continues with the others
                    }
                }
            }
        }
    }
}
