package dev.pysandbox.sandbox;

import dev.pysandbox.support.ByteSize;
import java.time.Duration;

/**
 * Limits on the sandboxes of a backend that are started in advance and wait for scripts.
 *
 * @param all the number for all environments together
 * @param afterBurst the number for one environment after at least as many concurrent calls
 * @param memory the memory of all together
 * @param idle how long sandboxes are kept for an environment after its last use
 */
public record PoolLimits(int all, int afterBurst, ByteSize memory, Duration idle) {
    /** For sandboxes on this machine. */
    public static final PoolLimits LOCAL = new PoolLimits(6, 16, ByteSize.parse("512m"), Duration.ofMinutes(5));
}
