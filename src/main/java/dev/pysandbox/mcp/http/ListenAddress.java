package dev.pysandbox.mcp.http;

import java.net.InetAddress;
import java.net.UnknownHostException;

/** The address at which the server listens: a host and a port. */
public record ListenAddress(InetAddress host, int port) {
    private static final String LOOPBACK = "127.0.0.1";
    private static final int LAST_PORT = 65_535;

    /**
     * Parses {@code [HOST:]PORT}.
     *
     * @throws IllegalArgumentException if it is malformed, or if other machines can reach the address: there is no
     *     authentication yet
     */
    public static ListenAddress parse(String text) {
        int colon = text.lastIndexOf(':');
        String host = colon < 0 ? LOOPBACK : text.substring(0, colon);
        ListenAddress address = new ListenAddress(resolve(host, text), port(text.substring(colon + 1), text));
        if (!address.host().isLoopbackAddress()) {
            throw new IllegalArgumentException(text + ": other machines could reach this address, and there"
                    + " is no authentication yet, so only loopback addresses are served, such as " + LOOPBACK + ":"
                    + address.port());
        }
        return address;
    }

    private static InetAddress resolve(String host, String text) {
        boolean bracketed = host.startsWith("[") && host.endsWith("]");
        if (host.isEmpty() || (host.indexOf(':') >= 0 && !bracketed)) {
            throw malformed(text);
        }
        try {
            return InetAddress.getByName(host);
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(text + ": the host is unknown", e);
        }
    }

    private static int port(String digits, String text) {
        boolean number =
                !digits.isEmpty() && digits.length() <= 5 && digits.chars().allMatch(c -> c >= '0' && c <= '9');
        if (!number || Integer.parseInt(digits) > LAST_PORT) {
            throw malformed(text);
        }
        return Integer.parseInt(digits);
    }

    private static IllegalArgumentException malformed(String text) {
        return new IllegalArgumentException("must look like PORT, HOST:PORT or [IPV6]:PORT, got '" + text + "'");
    }
}
