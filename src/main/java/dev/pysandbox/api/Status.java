package dev.pysandbox.api;

import java.util.Locale;

/** How a call ended. */
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

    /** The name that clients see, such as {@code timed_out}. */
    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Whether the script did not run, for a reason that the caller or the host must fix. */
    public boolean preventedRun() {
        return this == INSTALL_FAILED || this == INVALID_SCRIPT || this == SANDBOX_UNAVAILABLE;
    }
}
