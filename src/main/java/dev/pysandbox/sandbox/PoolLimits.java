package dev.pysandbox.sandbox;

import dev.pysandbox.support.ByteSize;
import java.time.Duration;

/**
 * How many sandboxes of a backend may wait for scripts.
 *
 * @param all how many in all
 * @param afterBurst how many there may be for one environment after as many calls at the same time
 * @param memory how much memory they may use together
 * @param idle how long sandboxes are kept for an environment after its last use
 */
public record PoolLimits(int all, int afterBurst, ByteSize memory, Duration idle) {
    /** For sandboxes on this machine. */
    public static final PoolLimits LOCAL = new PoolLimits(6, 16, ByteSize.parse("512m"), Duration.ofMinutes(5));
}
