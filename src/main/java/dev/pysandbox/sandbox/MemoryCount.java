package dev.pysandbox.sandbox;

import dev.pysandbox.support.ByteSize;
import java.util.Optional;

/** The kernel's count of the memory that all processes of a job use together. */
public interface MemoryCount {
    /** Where the kernel does not count. */
    MemoryCount NONE = new MemoryCount() {
        @Override
        public boolean outOfMemory() {
            return false;
        }

        @Override
        public Optional<ByteSize> peak() {
            return Optional.empty();
        }
    };

    /** Whether the kernel killed a process because the limit was reached. */
    boolean outOfMemory();

    /** The highest use so far; empty if it is not known. */
    Optional<ByteSize> peak();
}
