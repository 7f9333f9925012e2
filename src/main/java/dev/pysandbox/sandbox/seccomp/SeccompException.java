package dev.pysandbox.sandbox.seccomp;

import java.util.List;

/**
 * What happens to a system call if all conditions hold, whatever the rules for its name say.
 *
 * @param errno the error of a call that is refused; 0 for other effects
 */
public record SeccompException(List<SeccompRule> conditions, Effect effect, int errno) {
    /** The effect of an exception. */
    public enum Effect {
        ALLOW,
        /** Returns success without doing anything. */
        IGNORE,
        REFUSE
    }

    public SeccompException {
        conditions = List.copyOf(conditions);
    }
}
