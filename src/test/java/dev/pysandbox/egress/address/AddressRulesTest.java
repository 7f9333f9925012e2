package dev.pysandbox.egress.address;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class AddressRulesTest {
    @ParameterizedTest
    @CsvSource({
        "0.0.0.0, unspecified",
        "0.0.0.1, reserved",
        "0.255.255.255, reserved",
        "10.0.0.0, private",
        "10.255.255.255, private",
        "100.64.0.0, carrier-grade NAT",
        "100.127.255.255, carrier-grade NAT",
        "100.100.100.200, cloud metadata",
        "127.0.0.0, loopback",
        "127.0.0.1, loopback",
        "127.0.0.53, loopback",
        "127.255.255.255, loopback",
        "168.63.129.16, cloud metadata",
        "169.254.0.1, link-local",
        "169.254.169.254, cloud metadata",
        "169.254.170.2, link-local",
        "169.254.255.255, link-local",
        "172.16.0.0, private",
        "172.31.255.255, private",
        "192.0.0.0, reserved",
        "192.0.0.192, cloud metadata",
        "192.0.0.255, reserved",
        "192.0.2.0, documentation",
        "192.0.2.255, documentation",
        "192.88.99.1, reserved",
        "192.168.0.0, private",
        "192.168.255.255, private",
        "198.18.0.0, benchmark",
        "198.19.255.255, benchmark",
        "198.51.100.7, documentation",
        "203.0.113.7, documentation",
        "224.0.0.0, multicast",
        "224.0.0.251, multicast",
        "239.255.255.255, multicast",
        "240.0.0.0, reserved",
        "255.255.255.254, reserved",
        "255.255.255.255, broadcast",
        "::, unspecified",
        "::1, loopback",
        "::2, reserved",
        "::127.0.0.1, loopback",
        "::10.0.0.1, private",
        "::8.8.8.8, reserved",
        "::ffff:127.0.0.1, loopback",
        "::ffff:10.1.2.3, private",
        "::ffff:169.254.169.254, cloud metadata",
        "::ffff:0:0, unspecified",
        "64:ff9b::7f00:1, loopback",
        "64:ff9b::a00:1, private",
        "64:ff9b::a9fe:a9fe, cloud metadata",
        "64:ff9b::c0a8:101, private",
        "64:ff9b:1::808:808, private",
        "64:ff9b:0:1::808:808, reserved",
        "100::1, reserved",
        "1fff:ffff::1, reserved",
        "2001:0:808:808:0:0:f5ff:fffe, private",
        "2001:0:a00:1:0:0:f7f7:f7f7, private",
        "2001:0:808:808::80ff:fffe, loopback",
        "2001:2::1, reserved",
        "2001:10::1, reserved",
        "2001:1ff:ffff::1, reserved",
        "2001:db8::1, documentation",
        "2001:db8:ffff:ffff::1, documentation",
        "2002:7f00:1::1, loopback",
        "2002:a00:1::, private",
        "2002:a9fe:a9fe::1, cloud metadata",
        "2002:c0a8:1::1, private",
        "2002:e000:1::1, multicast",
        "3fff::1, documentation",
        "3fff:fff:ffff::1, documentation",
        "4000::1, reserved",
        "5f00::1, reserved",
        "fc00::1, private",
        "fd00::1, private",
        "fd00:ec2::254, cloud metadata",
        "fdff:ffff::1, private",
        "fe00::1, reserved",
        "fe80::1, link-local",
        "febf:ffff::1, link-local",
        "fec0::1, private",
        "ff02::1, multicast",
        "ff0e::1, multicast",
        "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff, multicast",
    })
    void refusesAddressesThatAreNotPublic(String address, String kind) {
        assertEquals(Optional.of(kind + " address"), AddressRules.objection(parse(address)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1.0.0.0",
                "1.1.1.1",
                "8.8.8.8",
                "9.255.255.255",
                "11.0.0.0",
                "100.63.255.255",
                "100.128.0.0",
                "126.255.255.255",
                "128.0.0.0",
                "168.63.129.15",
                "168.63.129.17",
                "169.253.255.255",
                "169.255.0.0",
                "172.15.255.255",
                "172.32.0.0",
                "191.255.255.255",
                "192.0.1.0",
                "192.0.3.0",
                "192.88.98.255",
                "192.167.255.255",
                "192.169.0.0",
                "198.17.255.255",
                "198.20.0.0",
                "198.51.99.255",
                "203.0.114.0",
                "223.255.255.255",
                "::ffff:8.8.8.8",
                "64:ff9b::808:808",
                "2000::1",
                "2001:0:808:808:0:0:f7f7:f7f7",
                "2001:200::1",
                "2001:4860:4860::8888",
                "2001:db7:ffff::1",
                "2001:db9::1",
                "2002:808:808::1",
                "2003::1",
                "2606:4700:4700::1111",
                "2a00:1450:4001:829::200e",
                "3ffe:ffff::1",
                "3fff:1000::1",
            })
    void acceptsPublicAddresses(String address) {
        assertEquals(Optional.empty(), AddressRules.objection(parse(address)));
    }

    /** The JDK converts mapped addresses to IPv4, unless they are created like this. */
    @Test
    void objectsToMappedAddressesThatStayedIpv6() throws UnknownHostException {
        byte[] bytes = new byte[16];
        bytes[10] = (byte) 0xff;
        bytes[11] = (byte) 0xff;
        bytes[12] = 127;
        bytes[15] = 1;
        InetAddress mapped = Inet6Address.getByAddress(null, bytes, -1);
        assertEquals(16, mapped.getAddress().length);
        assertEquals(Optional.of("loopback address"), AddressRules.objection(mapped));
    }

    private static InetAddress parse(String address) {
        return HostName.parse(address.contains(":") ? "[" + address + "]" : address)
                .address()
                .orElseThrow();
    }
}
