package dev.pysandbox.api;

import java.util.Locale;

/** What a sandboxed process may reach. */
public enum Network {
    /** Only a separate loopback interface. */
    NONE,
    /** Public addresses, through the proxy. */
    INTERNET,
    /** Whatever the host reaches. */
    HOST;

    /** The name that people write, such as {@code internet}. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
