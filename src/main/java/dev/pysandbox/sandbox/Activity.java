package dev.pysandbox.sandbox;

import dev.pysandbox.support.ByteSize;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;

/**
 * The CPU time and memory that the processes of a sandbox have used up to one moment.
 *
 * @param processes the /proc folder of each process
 * @param cpu the CPU time of these processes and of their ended children; the kernel does not count children of a
 *     process that ignores SIGCHLD
 * @param resident the sum of their resident memory; pages shared by several processes are counted once for each
 */
public record Activity(Set<Path> processes, Duration cpu, ByteSize resident) {
    /** More CPU time than a sandbox uses between its ready message and its first wait for input. */
    private static final Duration MOST_CPU = Duration.ofMillis(200);

    private static final long MOST_GROWTH = 32 << 20;

    /** Returns whether they have used almost no CPU time and no more memory since an earlier moment. */
    public boolean isRestSince(Activity earlier) {
        return cpu.minus(earlier.cpu).compareTo(MOST_CPU) < 0
                && resident.bytes() - earlier.resident.bytes() < MOST_GROWTH;
    }
}
