package dev.pysandbox.index;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.pysandbox.egress.InvalidProxyException;
import dev.pysandbox.egress.UpstreamProxy;
import java.io.IOException;
import java.net.URI;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProxySettingsTest {
    @ParameterizedTest
    @CsvSource({
        "https://a.example/, http://secure.example:3128",
        "http://a.example/, http://plain.example:8080",
        "https://internal.example/,",
        "https://deep.internal.example/,",
        "https://notinternal.example/, http://secure.example:3128",
        "https://dotted.example/,",
        "https://x.dotted.example/,",
        "https://ported.example:8443/,",
        "https://ported.example/, http://secure.example:3128",
        "http://127.0.0.1:9/,",
        "https://10.1.2.3/,",
        "https://UPPER.example/,",
    })
    void choosesByAddress(URI url, String proxy) throws IOException {
        ProxySettings settings = new ProxySettings(Map.of(
                "https_proxy", "http://user:pw@secure.example:3128",
                "HTTPS_PROXY", "http://loses.example:1",
                "HTTP_PROXY", "plain.example:8080",
                "NO_PROXY",
                        "internal.example, .dotted.example ported.example:8443,127.0.0.1,10.0.0.0/8,Upper.Example"));
        assertEquals(Optional.ofNullable(proxy), settings.proxyFor(url).map(UpstreamProxy::toString));
    }

    @Test
    void aStarInNoProxyExcludesAllHosts() throws IOException {
        ProxySettings settings = new ProxySettings(Map.of("ALL_PROXY", "http://p.example:1", "no_proxy", "*"));
        assertEquals(Optional.empty(), settings.proxyFor(URI.create("https://a.example/")));
    }

    @Test
    void passesCredentialsOnButDoesNotShowThem() {
        ProxySettings settings = new ProxySettings(Map.of("HTTPS_PROXY", "http://user:pw@p.example:1"));
        assertEquals(Map.of("HTTPS_PROXY", "http://user:pw@p.example:1"), settings.environment());
        assertFalse(settings.toString().contains("pw"), settings::toString);
    }

    @Test
    void anUnusableProxyIsPassedToUvButNotUsed() {
        ProxySettings settings = new ProxySettings(Map.of("ALL_PROXY", "socks5://user:pw@p.example:1"));
        assertEquals("socks5://user:pw@p.example:1", settings.environment().get("HTTPS_PROXY"));
        InvalidProxyException e =
                assertThrows(InvalidProxyException.class, () -> settings.proxyFor(URI.create("https://a.example/")));
        assertEquals(
                "ALL_PROXY has the scheme socks5://, only http:// is supported: set it to an HTTP proxy or unset it",
                e.getMessage());
    }

    @Test
    void anUnusableProxyDoesNotMatterForDirectHosts() throws IOException {
        ProxySettings settings =
                new ProxySettings(Map.of("ALL_PROXY", "socks5://p.example:1", "NO_PROXY", "a.example"));
        assertEquals(Optional.empty(), settings.proxyFor(URI.create("https://a.example/")));
    }
}
