package dev.pysandbox.environment.install;

import dev.pysandbox.support.ByteSize;
import dev.pysandbox.support.Folders;
import dev.pysandbox.support.SharedLocks;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The folder in which an environment is created: the only one that the installer can write to. Closing deletes what is
 * left in it.
 *
 * @param cache the name of uv's cache, beside the environment
 * @param mayBuild whether packages may be built here, which runs their code
 * @param sharers the number of stages that use the cache of this one
 * @param owner the lock that shows other servers that it is in use
 */
public record Stage(
        Path root, String name, String cache, boolean mayBuild, AtomicInteger sharers, SharedLocks.Held owner)
        implements AutoCloseable {
    /** Returns the path of the environment. */
    public Path environment() {
        return root.resolve(name);
    }

    DiskGuard.Usage usage(Instant start, ByteSize enough) {
        return mayBuild
                ? StageUsage.ofBuild(root)
                : StageUsage.ofWheels(environment(), root.resolve(cache), start, Math.max(1, sharers.get()), enough);
    }

    @Override
    public void close() throws IOException {
        try {
            Folders.delete(mayBuild ? root : environment());
        } finally {
            sharers.decrementAndGet();
            owner.close();
        }
    }
}
