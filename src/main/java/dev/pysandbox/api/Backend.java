package dev.pysandbox.api;

import java.util.Locale;

/** The kinds of sandbox that a person can ask for. */
public enum Backend {
    NATIVE,
    DOCKER,
    NONE;

    /** The name that people write, such as {@code native}. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
