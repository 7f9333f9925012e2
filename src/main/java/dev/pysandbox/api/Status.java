package dev.pysandbox.api;

import java.util.Locale;

/** How an execution ended. */
public enum Status {
    OK,
    SCRIPT_ERROR,
    TIMED_OUT,
    OUT_OF_MEMORY,
    OUTPUT_LIMIT,
    INSTALL_FAILED,
    INVALID_SCRIPT,
    SANDBOX_UNAVAILABLE,
    CANCELLED;

    /** Returns the name in results, such as {@code timed_out}. */
    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * Returns whether the script could not run, or its sandbox failed, for a reason that the caller or the host must
     * fix.
     */
    public boolean preventedRun() {
        return this == INSTALL_FAILED || this == INVALID_SCRIPT || this == SANDBOX_UNAVAILABLE;
    }
}
