package dev.pysandbox.sandbox;

import dev.pysandbox.support.ByteSize;
import java.util.Optional;

/** The kernel's count of the memory that all processes of a job use together. */
public interface MemoryCount {
    /** The kernel does not count. */
    MemoryCount NONE = () -> false;

    /** The kernel counts and limits, but the server can't read the count. */
    MemoryCount UNREADABLE = () -> true;

    /** Returns whether the kernel counts and limits the memory. */
    boolean limits();

    /** Returns whether the kernel killed a process because of the limit; false if that is not known. */
    default boolean outOfMemory() {
        return false;
    }

    /** Returns the highest memory use so far; empty if it is not known. */
    default Optional<ByteSize> peak() {
        return Optional.empty();
    }
}
