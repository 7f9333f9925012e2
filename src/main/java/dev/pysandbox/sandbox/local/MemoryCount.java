package dev.pysandbox.sandbox.local;

import dev.pysandbox.support.ByteSize;
import java.util.Optional;

/** The kernel's count of the memory that all processes of a job use together. */
public interface MemoryCount {
    /** Where the kernel does not count. */
    MemoryCount NONE = () -> false;

    /** Where the kernel counts and limits, but the server can't read the count. */
    MemoryCount UNREADABLE = () -> true;

    /** Whether the kernel counts and limits. */
    boolean limits();

    /** Whether the kernel killed a process because the limit was reached. */
    default boolean outOfMemory() {
        return false;
    }

    /** The highest use so far; empty if it is not known. */
    default Optional<ByteSize> peak() {
        return Optional.empty();
    }
}
