package dev.pysandbox.sandbox;

import java.util.Locale;

/** What a sandboxed process may reach. */
public enum Network {
    /** Nothing but a loopback of its own. */
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
