package dev.pysandbox.egress;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pysandbox.egress.address.Target;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class UpstreamProxyTest {
    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                "http://proxy.corp:3128, proxy.corp, 3128, -",
                "http://proxy.corp:3128/, proxy.corp, 3128, -",
                "HTTP://Proxy.Corp, proxy.corp, 80, -",
                "proxy.corp:3128, proxy.corp, 3128, -",
                "http://user:secret@proxy.corp:3128, proxy.corp, 3128, user:secret",
                "user:secret@10.0.0.1:3128, 10.0.0.1, 3128, user:secret",
                "http://us%40er:p%3Aa+b%2f@proxy:1, proxy, 1, us@er:p:a+b/",
                "http://user@proxy:1, proxy, 1, user:",
                "http://user:p@ss@proxy:1, proxy, 1, user:p@ss",
                "http://[::1]:3128, [::1], 3128, -",
            })
    void readsTheVariable(String value, String host, int port, String credentials) throws IOException {
        UpstreamProxy proxy = fromEnvironment("HTTPS_PROXY", value);
        assertEquals(new UpstreamProxy(host, port, Optional.ofNullable(credentials), List.of()), proxy);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://u:hidden@proxy:1",
                "socks5://u:hidden@proxy:1",
                "socks5h://u:hidden@proxy:1",
                "http://u:hidden@proxy:0",
                "http://u:hidden@proxy:99999",
                "http://u:hidden@pro xy:1",
                "http://u:hidden%zz@proxy:1",
                "http://u:hidden%0a@proxy:1",
                "http://u:hidden@",
                "http://",
                "http://u:hidden@127.1:1",
                "http://u:hidden@proxy:1/path",
                "u:hidden",
            })
    void refusesOthersWithoutShowingThePassword(String value) {
        InvalidProxyException refusal =
                assertThrows(InvalidProxyException.class, () -> fromEnvironment("HTTPS_PROXY", value));
        assertTrue(refusal.getMessage().startsWith("HTTPS_PROXY "), refusal.getMessage());
        assertFalse(refusal.getMessage().contains("hidden"), refusal.getMessage());
        assertNull(refusal.getCause());
    }

    @Test
    void prefersHttpsThenHttpThenAll() throws IOException {
        Map<String, String> environment = Map.of(
                "ALL_PROXY", "all:1", "HTTP_PROXY", "plain:1", "https_proxy", "lower:1", "HTTPS_PROXY", "upper:1");
        assertEquals(
                "lower",
                UpstreamProxy.fromEnvironment(environment).orElseThrow().host());
        assertEquals("all", fromEnvironment("ALL_PROXY", "http://all:1").host());
        assertEquals(Optional.empty(), UpstreamProxy.fromEnvironment(Map.of()));
        assertEquals(Optional.empty(), UpstreamProxy.fromEnvironment(Map.of("HTTPS_PROXY", " ")));
    }

    @ParameterizedTest
    @CsvSource({
        "'', example.org:443, true",
        "*, example.org:443, false",
        "example.org, example.org:443, false",
        "example.org, www.example.org:443, false",
        "example.org, notexample.org:443, true",
        ".example.org, www.example.org:443, false",
        "*.example.org, www.example.org:443, false",
        "'localhost,  example.org', example.org:443, false",
        "'localhost example.org', example.org:443, false",
        "example.org:8080, example.org:443, true",
        "example.org:8080, example.org:8080, false",
        "10.0.0.0/8, 10.1.2.3:443, false",
        "10.0.0.0/8, 11.1.2.3:443, true",
        "10.1.2.3, 10.1.2.3:443, false",
        "10.1.2.3, 10.1.2.4:443, true",
        "::1, [::1]:443, false",
        "[::1]:80, [::1]:443, true",
        "fd00::/8, [fd12::1]:443, false",
        "'10.0.0.0/99, 10/x, //, ::::, 127.1', 10.1.2.3:443, true",
    })
    void doesNotServeHostsInNoProxy(String noProxy, String target, boolean served) throws IOException {
        UpstreamProxy proxy = UpstreamProxy.fromEnvironment(Map.of("HTTP_PROXY", "proxy:3128", "NO_PROXY", noProxy))
                .orElseThrow();
        assertEquals(served, proxy.serves(Target.parse(target)));
    }

    @Test
    void doesNotShowItsPassword() throws IOException {
        UpstreamProxy proxy = fromEnvironment("HTTPS_PROXY", "http://user:hidden@proxy:3128");
        assertEquals("http://proxy:3128", proxy.toString());
        assertEquals("Proxy-Authorization: Basic dXNlcjpoaWRkZW4=\r\n", proxy.authorization());
        assertFalse(EgressPolicy.publicInternet().through(proxy).toString().contains("hidden"));
    }

    private static UpstreamProxy fromEnvironment(String variable, String value) throws IOException {
        return UpstreamProxy.fromEnvironment(Map.of(variable, value)).orElseThrow();
    }
}
