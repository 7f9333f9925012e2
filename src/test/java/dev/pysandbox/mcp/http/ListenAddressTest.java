package dev.pysandbox.mcp.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ListenAddressTest {
    @ParameterizedTest
    @CsvSource({
        "8080,127.0.0.1,8080",
        "0,127.0.0.1,0",
        "127.0.0.1:65535,127.0.0.1,65535",
        "127.9.9.9:80,127.9.9.9,80",
        "[::1]:80,0:0:0:0:0:0:0:1,80",
    })
    void loopbackAddressesAreAccepted(String text, String host, int port) {
        ListenAddress address = ListenAddress.parse(text);
        assertEquals(host, address.host().getHostAddress());
        assertEquals(port, address.port());
    }

    @ParameterizedTest
    @ValueSource(strings = {"0.0.0.0:80", "[::]:80", "10.0.0.1:80", "192.0.2.1:80", "[2001:db8::1]:80", "0:80"})
    void addressesThatOtherMachinesReachAreRefused(String text) {
        String message = assertThrows(IllegalArgumentException.class, () -> ListenAddress.parse(text))
                .getMessage();
        assertTrue(message.contains("no authentication yet"), message);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", "-1", "65536", "999999", ":80", "127.0.0.1:", "::1:80", "127.0.0.1:80:90", "８０"})
    void malformedAddressesAreRefused(String text) {
        String message = assertThrows(IllegalArgumentException.class, () -> ListenAddress.parse(text))
                .getMessage();
        assertTrue(message.startsWith("must look like"), message);
    }

    @Test
    void originsAreChecked() {
        assertEquals("https://a.example:8443", AccessRules.parseOrigin("https://A.example:8443"));
        for (String wrong :
                new String[] {"*", "a.example", "https://a.example/", "https://a/x", "ftp://a", "null", ""}) {
            assertThrows(IllegalArgumentException.class, () -> AccessRules.parseOrigin(wrong), wrong);
        }
    }
}
