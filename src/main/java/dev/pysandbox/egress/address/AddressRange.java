package dev.pysandbox.egress.address;

import java.net.InetAddress;

/** A block of addresses, written like {@code 10.0.0.0/8} or {@code fc00::/7}. */
public record AddressRange(InetAddress first, int bits) {
    public AddressRange {
        if (bits < 0 || bits > first.getAddress().length * 8) {
            throw new IllegalArgumentException("a block of addresses can't have " + bits + " fixed bits");
        }
    }

    public static AddressRange parse(String text) {
        int slash = text.indexOf('/');
        if (slash < 0) {
            throw new IllegalArgumentException("expected a block such as 10.0.0.0/8, got '" + text + "'");
        }
        String address = text.substring(0, slash);
        HostName host = HostName.parse(address.contains(":") ? "[" + address + "]" : address);
        return new AddressRange(
                host.address().orElseThrow(() -> new IllegalArgumentException("'" + address + "' is not an address")),
                Integer.parseInt(text.substring(slash + 1)));
    }

    public boolean contains(InetAddress address) {
        return contains(address.getAddress());
    }

    public boolean contains(byte[] address) {
        byte[] prefix = first.getAddress();
        if (prefix.length != address.length) {
            return false;
        }
        for (int i = 0; i * 8 < bits; i++) {
            int mask = 0xff << Math.max(0, 8 - (bits - i * 8));
            if (((prefix[i] ^ address[i]) & mask & 0xff) != 0) {
                return false;
            }
        }
        return true;
    }
}
