package dev.pysandbox.egress.address;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class TargetTest {
    @ParameterizedTest
    @CsvSource({
        "example.org:443, example.org:443",
        "EXAMPLE.Org:443, example.org:443",
        "example.org.:443, example.org:443",
        "a_b.example.org:1, a_b.example.org:1",
        "_dmarc.example.org:65535, _dmarc.example.org:65535",
        "localhost:80, localhost:80",
        "3com.example:80, 3com.example:80",
        "1.2.3.example:80, 1.2.3.example:80",
        "0x7f.example:80, 0x7f.example:80",
        "xn--bcher-kva.example:443, xn--bcher-kva.example:443",
        "bücher.example:443, xn--bcher-kva.example:443",
        "BÜCHER.example:443, xn--bcher-kva.example:443",
        "ｅｘａｍｐｌｅ。org:443, example.org:443",
        "１２７.0.0.1:80, 127.0.0.1:80",
        "127.0.0.1:80, 127.0.0.1:80",
        "127.0.0.1.:80, 127.0.0.1:80",
        "[::1]:443, [::1]:443",
        "[0:0:0:0:0:0:0:1]:443, [::1]:443",
        "[2001:DB8:0:0:1:0:0:1]:443, [2001:db8::1:0:0:1]:443",
        "[::]:1, [::]:1",
        "[fe80::]:1, [fe80::]:1",
        "[2606:4700:4700::1111]:443, [2606:4700:4700::1111]:443",
        "[::ffff:127.0.0.1]:80, 127.0.0.1:80",
        "[::ffff:7f00:1]:80, 127.0.0.1:80",
        "example.org:0080, example.org:80",
    })
    void normalizesTargets(String text, String canonical) {
        Target target = Target.parse(text);
        assertEquals(canonical, target.toString());
        assertEquals(target, Target.parse(canonical));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ":443",
                "example.org",
                "example.org:",
                "example.org:0",
                "example.org:65536",
                "example.org:99999",
                "example.org:100000",
                "example.org:-1",
                "example.org:+80",
                "example.org:8 0",
                "example.org:٨٠",
                "example..org:80",
                ".example.org:80",
                "example.org..:80",
                ".:80",
                "-example.org:80",
                "example-.org:80",
                "exa mple.org:80",
                "exa\tmple.org:80",
                "example.org\0:80",
                "example.org\n:80",
                "user@example.org:80",
                "example.org/:80",
                "example.org\\:80",
                "example.org%2e:80",
                "example.org#:80",
                "*.example.org:80",
                "0x7f.1:80",
                "0x7f000001:80",
                "0x7f.0.0.0x1:80",
                "example.0x:80",
                "2130706433:80",
                "127.1:80",
                "127.0.1:80",
                "0177.0.0.1:80",
                "127.0.0.01:80",
                "00.0.0.0:80",
                "1.2.3.4.5:80",
                "256.0.0.1:80",
                "1.2.3.999:80",
                "example.123:80",
                "017700000001:80",
                "::1:443",
                "[::1:443",
                "::1]:443",
                "[]:443",
                "[:]:443",
                "[1]:443",
                "[:::]:443",
                "[127.0.0.1]:443",
                "[example.org]:443",
                "[fe80::1%eth0]:443",
                "[fe80::1%251]:443",
                "[v1.fe80]:443",
                "[::1]x:443",
                "[[::1]]:443",
                "[1:2:3:4:5:6:7:8:9]:443",
                "[::12345]:443",
                "\ud800.example:80",
                "\ufffd.example:80",
            })
    void refusesInvalidTargets(String text) {
        assertThrows(IllegalArgumentException.class, () -> Target.parse(text));
    }

    @Test
    void refusesLabelsAndNamesThatAreTooLong() {
        String label = "a".repeat(63);
        String name = String.join(".", label, label, label, "a".repeat(61));
        assertEquals(253, Target.parse(name + ":80").host().text().length());
        assertThrows(IllegalArgumentException.class, () -> Target.parse(name + "a:80"));
        assertThrows(IllegalArgumentException.class, () -> Target.parse(label + "a.example:80"));
    }

    @Test
    void usesTheDefaultPort() {
        assertEquals("example.org:80", Target.parse("example.org", 80).toString());
        assertEquals("[::1]:80", Target.parse("[::1]", 80).toString());
        assertEquals("[::1]:8080", Target.parse("[::1]:8080", 80).toString());
        assertThrows(IllegalArgumentException.class, () -> Target.parse("example.org:", 80));
    }
}
