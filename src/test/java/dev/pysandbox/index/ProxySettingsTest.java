package dev.pysandbox.index;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.net.URI;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProxySettingsTest {
    @ParameterizedTest
    @CsvSource({
        "https://a.example/, http://user:pw@secure.example:3128",
        "http://a.example/, http://plain.example:8080",
        "https://internal.example/,",
        "https://deep.internal.example/,",
        "https://notinternal.example/, http://user:pw@secure.example:3128",
        "https://dotted.example/,",
        "https://x.dotted.example/,",
        "https://ported.example:8443/,",
        "https://ported.example/, http://user:pw@secure.example:3128",
        "http://127.0.0.1:9/,",
        "https://10.1.2.3/,",
        "https://UPPER.example/,",
    })
    void choosesByAddress(URI url, URI proxy) {
        ProxySettings settings = ProxySettings.fromEnvironment(Map.of(
                "https_proxy", "http://user:pw@secure.example:3128",
                "HTTPS_PROXY", "http://loses.example:1",
                "HTTP_PROXY", "plain.example:8080",
                "NO_PROXY",
                        "internal.example, .dotted.example ported.example:8443,127.0.0.1,10.0.0.0/8,Upper.Example"));
        assertEquals(Optional.ofNullable(proxy), settings.proxyFor(url));
    }

    @Test
    void aStarMeansNoProxyAtAll() {
        ProxySettings settings =
                ProxySettings.fromEnvironment(Map.of("ALL_PROXY", "http://p.example:1", "no_proxy", "*"));
        assertEquals(Optional.empty(), settings.proxyFor(URI.create("https://a.example/")));
    }

    @Test
    void isHandedOnWithCredentialsButShownWithout() {
        ProxySettings settings = ProxySettings.fromEnvironment(Map.of("HTTPS_PROXY", "http://user:pw@p.example:1"));
        assertEquals(Map.of("HTTPS_PROXY", "http://user:pw@p.example:1"), settings.environment());
        assertFalse(settings.toString().contains("pw"), settings::toString);
    }

    @Test
    void refusesWhatIsNoUrlWithoutShowingCredentials() {
        IllegalArgumentException e = assertThrows(
                IllegalArgumentException.class,
                () -> ProxySettings.fromEnvironment(Map.of("HTTPS_PROXY", "user:pw@bad host:1")));
        assertEquals("HTTPS_PROXY must be a URL such as http://proxy.example:3128, got 'bad host:1'", e.getMessage());
    }
}
