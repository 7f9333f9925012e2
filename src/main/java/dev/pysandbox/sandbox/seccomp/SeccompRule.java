package dev.pysandbox.sandbox.seccomp;

import java.util.List;

/** A system call is let through if an argument, masked, is one of some values; the kernel looks at its low 32 bits. */
record SeccompRule(String name, int argument, long mask, List<Long> values, int errno) {
    SeccompRule {
        values = List.copyOf(values);
        if (argument < 0 || argument > 5) {
            throw new IllegalArgumentException("a system call has arguments 0 to 5, got " + argument);
        }
    }
}
