package dev.pysandbox.sandbox.seccomp;

import java.util.List;

/**
 * A system call is let through unless all of some conditions hold.
 *
 * @param errno the error that it reports then, or 0: it does nothing and reports success
 */
record SeccompException(List<SeccompRule> conditions, int errno) {
    SeccompException {
        conditions = List.copyOf(conditions);
    }
}
