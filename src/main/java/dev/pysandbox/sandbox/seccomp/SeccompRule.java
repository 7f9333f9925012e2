package dev.pysandbox.sandbox.seccomp;

import java.util.List;

/**
 * Holds if an argument, masked, is one of the values. The filter compares the low 32 bits. Else the call fails with
 * errno.
 */
public record SeccompRule(String name, int argument, long mask, List<Long> values, int errno) {
    public SeccompRule {
        values = List.copyOf(values);
        if (argument < 0 || argument > 5) {
            throw new IllegalArgumentException("a system call has arguments 0 to 5, got " + argument);
        }
    }
}
