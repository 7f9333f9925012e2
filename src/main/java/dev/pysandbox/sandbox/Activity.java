package dev.pysandbox.sandbox;

import dev.pysandbox.support.ByteSize;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;

/**
 * What the processes of a sandbox have used up to one moment.
 *
 * @param processes their folders in /proc
 * @param cpu the CPU time of these and of their ended children; the kernel forgets children that a process ignores
 * @param resident the memory that each has in use; what several share counts for each
 */
public record Activity(Set<Path> processes, Duration cpu, ByteSize resident) {
    /** More than the last steps of a sandbox that has just said it is ready. */
    private static final Duration MOST_CPU = Duration.ofMillis(200);

    private static final long MOST_GROWTH = 32 << 20;

    /** Whether they have used next to nothing since an earlier moment: no CPU time, no memory. */
    public boolean isRestSince(Activity earlier) {
        return cpu.minus(earlier.cpu).compareTo(MOST_CPU) < 0
                && resident.bytes() - earlier.resident.bytes() < MOST_GROWTH;
    }
}
