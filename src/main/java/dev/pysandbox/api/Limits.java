package dev.pysandbox.api;

import dev.pysandbox.support.ByteSize;
import java.util.OptionalDouble;

/**
 * The limits of a sandboxed job.
 *
 * @param scratch the size of each folder that the job can write to
 */
public record Limits(ByteSize memory, int processes, OptionalDouble cpus, int openFiles, ByteSize scratch) {
    public static final Limits DEFAULT =
            new Limits(ByteSize.parse("2g"), 128, OptionalDouble.empty(), 1024, ByteSize.parse("512m"));
}
