package dev.pysandbox.api;

import java.util.Locale;

/** What a sandboxed process may reach. */
public enum Network {
    /** Only a separate loopback interface. */
    NONE,
    /** Public addresses, through the proxy. */
    INTERNET,
    /** Everything that the host can reach. */
    HOST;

    /** Returns the name in options and results, such as {@code internet}. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
