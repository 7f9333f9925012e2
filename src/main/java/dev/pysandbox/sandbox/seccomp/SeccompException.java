package dev.pysandbox.sandbox.seccomp;

import java.util.List;

/**
 * Allows a system call unless all conditions hold.
 *
 * @param errno the error that the call then returns; 0 if it returns success without any effect
 */
public record SeccompException(List<SeccompRule> conditions, int errno) {
    public SeccompException {
        conditions = List.copyOf(conditions);
    }
}
