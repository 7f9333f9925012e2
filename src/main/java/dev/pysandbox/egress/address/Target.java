package dev.pysandbox.egress.address;

import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The host and port of a connection. */
public record Target(HostName host, int port) {
    private static final Pattern WITH_PORT = Pattern.compile("(.*):(\\d{1,5})", Pattern.DOTALL);

    public Target {
        if (port < 1 || port > 65535) {
            throw new IllegalArgumentException("the port " + port + " is not between 1 and 65535");
        }
    }

    /** Parses {@code host:port}. */
    public static Target parse(String authority) {
        OptionalInt port = port(authority);
        if (port.isEmpty()) {
            throw new IllegalArgumentException("'" + authority + "' has no port: write host:port");
        }
        return new Target(HostName.parse(withoutPort(authority)), port.getAsInt());
    }

    /** Parses {@code host} or {@code host:port}. */
    public static Target parse(String authority, int defaultPort) {
        return new Target(
                HostName.parse(withoutPort(authority)), port(authority).orElse(defaultPort));
    }

    static OptionalInt port(String authority) {
        Matcher matcher = WITH_PORT.matcher(authority);
        return matcher.matches() && !authority.endsWith("]")
                ? OptionalInt.of(Integer.parseInt(matcher.group(2)))
                : OptionalInt.empty();
    }

    static String withoutPort(String authority) {
        return port(authority).isPresent() ? authority.substring(0, authority.lastIndexOf(':')) : authority;
    }

    @Override
    public String toString() {
        return host + ":" + port;
    }
}
