package dev.pysandbox.egress.address;

import java.net.InetAddress;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Decides whether an address is public, by the IANA registries of special-purpose addresses.
 *
 * @see <a href="https://www.iana.org/assignments/iana-ipv4-special-registry">IPv4 registry</a>
 * @see <a href="https://www.iana.org/assignments/iana-ipv6-special-registry">IPv6 registry</a>
 */
public final class AddressRules {
    private record Special(AddressRange range, String kind) {
        static Special of(String range, String kind) {
            return new Special(AddressRange.parse(range), kind);
        }
    }

    private static final String METADATA = "cloud metadata address";
    private static final String PRIVATE = "private address";
    private static final String RESERVED = "reserved address";
    private static final String DOCUMENTATION = "documentation address";

    /** The first match applies. */
    private static final List<Special> IPV4 = List.of(
            Special.of("169.254.169.254/32", METADATA),
            Special.of("100.100.100.200/32", METADATA), // Alibaba
            Special.of("192.0.0.192/32", METADATA), // Oracle
            Special.of("168.63.129.16/32", METADATA), // Azure; in a public range
            Special.of("0.0.0.0/32", "unspecified address"),
            Special.of("0.0.0.0/8", RESERVED),
            Special.of("10.0.0.0/8", PRIVATE),
            Special.of("100.64.0.0/10", "carrier-grade NAT address"),
            Special.of("127.0.0.0/8", "loopback address"),
            Special.of("169.254.0.0/16", "link-local address"),
            Special.of("172.16.0.0/12", PRIVATE),
            Special.of("192.0.0.0/24", RESERVED),
            Special.of("192.0.2.0/24", DOCUMENTATION),
            Special.of("192.88.99.0/24", RESERVED), // 6to4 relays, deprecated
            Special.of("192.168.0.0/16", PRIVATE),
            Special.of("198.18.0.0/15", "benchmark address"),
            Special.of("198.51.100.0/24", DOCUMENTATION),
            Special.of("203.0.113.0/24", DOCUMENTATION),
            Special.of("224.0.0.0/4", "multicast address"),
            Special.of("255.255.255.255/32", "broadcast address"),
            Special.of("240.0.0.0/4", RESERVED));

    private static final List<Special> IPV6 = List.of(
            Special.of("::/128", "unspecified address"),
            Special.of("::1/128", "loopback address"),
            Special.of("fd00:ec2::254/128", METADATA),
            Special.of("fc00::/7", PRIVATE),
            Special.of("fe80::/10", "link-local address"),
            Special.of("fec0::/10", PRIVATE),
            Special.of("ff00::/8", "multicast address"),
            Special.of("64:ff9b:1::/48", PRIVATE), // local NAT64
            Special.of("2001:db8::/32", DOCUMENTATION),
            Special.of("3fff::/20", DOCUMENTATION));

    private static final AddressRange GLOBAL_UNICAST = AddressRange.parse("2000::/3");
    private static final AddressRange PROTOCOL_ASSIGNMENTS = AddressRange.parse("2001::/23");
    private static final AddressRange TEREDO = AddressRange.parse("2001::/32");
    private static final AddressRange SIX_TO_FOUR = AddressRange.parse("2002::/16");
    private static final AddressRange NAT64 = AddressRange.parse("64:ff9b::/96");
    private static final AddressRange IPV4_COMPATIBLE = AddressRange.parse("::/96");

    private AddressRules() {}

    /** Returns the kind of an address that is not public; empty for a public one. */
    public static Optional<String> objection(InetAddress address) {
        byte[] bytes = address.getAddress();
        return bytes.length == 4 ? special(IPV4, bytes) : ipv6Objection(bytes);
    }

    private static Optional<String> ipv6Objection(byte[] bytes) {
        Optional<String> special = special(IPV6, bytes);
        if (special.isPresent()) {
            return special;
        }
        if (isIpv4Mapped(bytes) || NAT64.contains(bytes)) {
            return embedded(bytes, 12);
        }
        if (IPV4_COMPATIBLE.contains(bytes)) {
            return embedded(bytes, 12).or(() -> Optional.of(RESERVED));
        }
        if (SIX_TO_FOUR.contains(bytes)) {
            return embedded(bytes, 2);
        }
        if (TEREDO.contains(bytes)) {
            return embedded(bytes, 4).or(() -> embedded(inverted(bytes), 12));
        }
        boolean routed = GLOBAL_UNICAST.contains(bytes) && !PROTOCOL_ASSIGNMENTS.contains(bytes);
        return routed ? Optional.empty() : Optional.of(RESERVED);
    }

    private static Optional<String> embedded(byte[] bytes, int start) {
        return special(IPV4, Arrays.copyOfRange(bytes, start, start + 4));
    }

    private static Optional<String> special(List<Special> specials, byte[] bytes) {
        return specials.stream()
                .filter(special -> special.range().contains(bytes))
                .map(Special::kind)
                .findFirst();
    }

    /** Checks the bytes, because the JDK converts such an address to IPv4 wherever it can. */
    private static boolean isIpv4Mapped(byte[] bytes) {
        for (int i = 0; i < 10; i++) {
            if (bytes[i] != 0) {
                return false;
            }
        }
        return bytes[10] == (byte) 0xff && bytes[11] == (byte) 0xff;
    }

    /** Inverts the bits: Teredo encodes the client's address that way. */
    private static byte[] inverted(byte[] bytes) {
        byte[] inverted = new byte[bytes.length];
        for (int i = 0; i < bytes.length; i++) {
            inverted[i] = (byte) ~bytes[i];
        }
        return inverted;
    }
}
