package dev.pysandbox.api;

import java.util.Locale;

/** The backends, in the order in which they are tried. */
public enum Backend {
    NATIVE,
    DOCKER,
    NONE;

    /** Returns the name in options and results, such as {@code native}. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
