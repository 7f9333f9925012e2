package dev.pysandbox.egress.address;

import java.net.IDN;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/** A host in canonical form: an address, or a name in lower-case ASCII. */
public record HostName(String text, Optional<InetAddress> address) {
    private static final Pattern LABEL = Pattern.compile("[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?");
    /** A name with such an end is an IPv4 address for resolvers and C libraries, which interpret it differently. */
    private static final Pattern ENDS_IN_NUMBER = Pattern.compile("(.*\\.)?(\\d+|0x[0-9a-f]*)");

    private static final Pattern OCTET = Pattern.compile("0|[1-9]\\d{0,2}");
    private static final Pattern IPV6_CHARACTERS = Pattern.compile("[0-9a-f:.]{2,45}");
    private static final Pattern ZEROS = Pattern.compile("(^|:)0(:0)+(:|$)");
    private static final int MAX_NAME = 253;

    /**
     * Parses a name, a dotted quad or an IPv6 address in brackets.
     *
     * @throws IllegalArgumentException if it is none of these
     */
    public static HostName parse(String text) {
        if (text.startsWith("[") && text.endsWith("]")) {
            return ofAddress(ipv6(text));
        }
        if (text.length() > MAX_NAME + 1) { // its encoding can't be shorter, and Punycode takes quadratic time
            throw new IllegalArgumentException("a host name of " + text.length() + " characters is too long");
        }
        String name = ascii(text).toLowerCase(Locale.ROOT);
        name = name.endsWith(".") ? name.substring(0, name.length() - 1) : name;
        if (ENDS_IN_NUMBER.matcher(name).matches()) {
            return ofAddress(ipv4(name, text));
        }
        if (name.length() > MAX_NAME) {
            throw notAHost(text);
        }
        for (String label : name.split("\\.", -1)) {
            if (!LABEL.matcher(label).matches()) {
                throw notAHost(text);
            }
        }
        return new HostName(name, Optional.empty());
    }

    private static HostName ofAddress(InetAddress address) {
        String text = address.getHostAddress();
        return new HostName(
                text.contains(":") ? "[" + ZEROS.matcher(text).replaceFirst("::") + "]" : text, Optional.of(address));
    }

    private static String ascii(String text) {
        if (text.chars().allMatch(c -> c < 0x80)) {
            return text;
        }
        try {
            return IDN.toASCII(text);
        } catch (IllegalArgumentException e) {
            throw notAHost(text);
        }
    }

    private static InetAddress ipv4(String name, String text) {
        String[] octets = name.split("\\.", -1);
        byte[] bytes = new byte[4];
        if (octets.length != bytes.length) {
            throw notAHost(text);
        }
        for (int i = 0; i < bytes.length; i++) {
            if (!OCTET.matcher(octets[i]).matches() || Integer.parseInt(octets[i]) > 255) {
                throw notAHost(text);
            }
            bytes[i] = (byte) Integer.parseInt(octets[i]);
        }
        try {
            return InetAddress.getByAddress(bytes);
        } catch (UnknownHostException e) {
            throw new AssertionError(e);
        }
    }

    private static InetAddress ipv6(String bracketed) {
        String inner = bracketed.substring(1, bracketed.length() - 1).toLowerCase(Locale.ROOT);
        if (!IPV6_CHARACTERS.matcher(inner).matches()) {
            throw notAHost(bracketed);
        }
        try {
            return InetAddress.getByName("[" + inner + "]"); // the brackets prevent a look-up
        } catch (UnknownHostException e) {
            throw notAHost(bracketed);
        }
    }

    private static IllegalArgumentException notAHost(String text) {
        return new IllegalArgumentException("'" + text + "' is not a host name or an address in its usual form");
    }

    @Override
    public String toString() {
        return text;
    }
}
