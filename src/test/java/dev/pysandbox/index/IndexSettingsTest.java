package dev.pysandbox.index;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class IndexSettingsTest {
    @Test
    void hasADefault() {
        IndexSettings settings = IndexSettings.fromEnvironment(Map.of());
        assertEquals(URI.create(IndexSettings.DEFAULT_INDEX), settings.index());
        assertEquals(Map.of("UV_DEFAULT_INDEX", IndexSettings.DEFAULT_INDEX), settings.uvEnvironment());
        assertEquals(Duration.ofSeconds(30), settings.timeout());
        assertEquals(Optional.empty(), settings.caBundle());
        assertFalse(settings.offline());
    }

    @Test
    void prefersTheVariablesOfUvToThoseOfPip() {
        Map<String, String> all = Map.of(
                "UV_DEFAULT_INDEX", "https://a.example/simple",
                "UV_INDEX_URL", "https://b.example/simple",
                "PIP_INDEX_URL", "https://c.example/simple");
        assertEquals("a.example", IndexSettings.fromEnvironment(all).index().getHost());
        assertEquals(
                "b.example",
                IndexSettings.fromEnvironment(Map.of(
                                "UV_DEFAULT_INDEX", " ",
                                "UV_INDEX_URL", "https://b.example/simple",
                                "PIP_INDEX_URL", "https://c.example/simple"))
                        .index()
                        .getHost());
        assertEquals(
                "c.example",
                IndexSettings.fromEnvironment(Map.of("PIP_INDEX_URL", "https://c.example/simple"))
                        .index()
                        .getHost());
    }

    @Test
    void collectsExtraIndexesAndTheirHosts() {
        IndexSettings settings = IndexSettings.fromEnvironment(Map.of(
                "UV_DEFAULT_INDEX", "main=https://main.example/simple",
                "UV_INDEX", "corp=https://user:secret@corp.example:8443/simple https://two.example/simple",
                "UV_EXTRA_INDEX_URL", "http://three.example/simple",
                "PIP_EXTRA_INDEX_URL", "https://two.example/simple\nhttps://four.example/simple",
                "UV_FIND_LINKS", "https://links.example/page,relative folder"));
        assertEquals(
                Set.of(
                        "main.example:443",
                        "corp.example:8443",
                        "two.example:443",
                        "three.example:80",
                        "four.example:443",
                        "links.example:443"),
                settings.hosts());
        assertEquals(4, settings.extraIndexes().size());
        assertEquals(
                Map.of(
                        "UV_DEFAULT_INDEX",
                        "main=https://main.example/simple",
                        "UV_INDEX",
                        "corp=https://user:secret@corp.example:8443/simple https://two.example/simple"
                                + " http://three.example/simple https://four.example/simple",
                        "UV_FIND_LINKS",
                        "https://links.example/page,relative folder"),
                settings.uvEnvironment());
        assertFalse(settings.toString().contains("secret"), settings::toString);
    }

    @Test
    void passesOnlyVariablesOfIndexesToUv(@TempDir Path folder) throws Exception {
        Path bundle = Files.writeString(folder.resolve("ca.pem"), "");
        Map<String, String> handedOn = IndexSettings.fromEnvironment(Map.ofEntries(
                        Map.entry("UV_INDEX_CORP_USERNAME", "u"),
                        Map.entry("UV_INDEX_CORP_PASSWORD", "p"),
                        Map.entry("UV_INDEX_STRATEGY", "first-index"),
                        Map.entry("UV_HTTP_TIMEOUT", "7"),
                        Map.entry("UV_NATIVE_TLS", "1"),
                        Map.entry("UV_OFFLINE", "true"),
                        Map.entry("PIP_CERT", bundle.toString()),
                        Map.entry("UV_CACHE_DIR", "x"),
                        Map.entry("UV_PYTHON", "x"),
                        Map.entry("UV_PYTHON_INSTALL_MIRROR", "x"),
                        Map.entry("UV_PROJECT", "x"),
                        Map.entry("UV_CONFIG_FILE", "x"),
                        Map.entry("UV_TOOL_DIR", "x"),
                        Map.entry("UV_KEYRING_PROVIDER", "subprocess"),
                        Map.entry("UV_PUBLISH_TOKEN", "x"),
                        Map.entry("AWS_SECRET_ACCESS_KEY", "x"),
                        Map.entry("HTTPS_PROXY", "http://proxy.example:3128")))
                .uvEnvironment();
        assertEquals(
                Map.of(
                        "UV_DEFAULT_INDEX", IndexSettings.DEFAULT_INDEX,
                        "UV_INDEX_CORP_USERNAME", "u",
                        "UV_INDEX_CORP_PASSWORD", "p",
                        "UV_INDEX_STRATEGY", "first-index",
                        "UV_HTTP_TIMEOUT", "7",
                        "UV_NATIVE_TLS", "1",
                        "UV_OFFLINE", "1",
                        "SSL_CERT_FILE", bundle.toString()),
                handedOn);
    }

    @Test
    void takesTheFirstBundleThatExists(@TempDir Path folder) throws Exception {
        Path one = Files.writeString(folder.resolve("one.pem"), "");
        Path two = Files.writeString(folder.resolve("two.pem"), "");
        IndexSettings settings = IndexSettings.fromEnvironment(Map.of(
                "SSL_CERT_FILE", folder.resolve("gone.pem").toString(),
                "REQUESTS_CA_BUNDLE", one.toString(),
                "PIP_CERT", two.toString(),
                "CURL_CA_BUNDLE", one.toString()));
        assertEquals(Optional.of(one), settings.caBundle());
        assertEquals(List.of(one, two), settings.caBundles());
    }

    @Test
    void knowsLocalFoldersOfLinks(@TempDir Path folder) {
        IndexSettings settings = IndexSettings.fromEnvironment(Map.of(
                "UV_FIND_LINKS", folder.toUri().toString(), "PIP_FIND_LINKS", folder + "  https://links.example/x"));
        assertEquals(List.of(folder, folder), settings.localFindLinks());
        assertEquals(3, settings.findLinks().size());
    }

    @ParameterizedTest
    @ValueSource(strings = {"ftp://x.example/", "https://", "https://user:secret@bad^host/", "https://user:secret@/"})
    void refusesWhatIsNoUrlWithoutShowingCredentials(String url) {
        IllegalArgumentException e = assertThrows(
                IllegalArgumentException.class, () -> IndexSettings.fromEnvironment(Map.of("UV_INDEX_URL", url)));
        assertTrue(e.getMessage().startsWith("UV_INDEX_URL must be"), e.getMessage());
        assertFalse(e.getMessage().contains("secret"), e.getMessage());
    }

    @ParameterizedTest
    @CsvSource({"1,true", "true,true", "YES,true", "0,false", "false,false", "'',false"})
    void readsSwitches(String value, boolean expected) {
        assertEquals(
                expected,
                IndexSettings.fromEnvironment(Map.of("UV_OFFLINE", value)).offline());
    }

    @ParameterizedTest
    @CsvSource({
        "https://u:p@h.example/, u:p",
        "https://u%40corp:p%3A%2Fx+y@h.example/, u@corp:p:/x+y",
        "https://token@h.example/, token:"
    })
    void decodesCredentials(URI url, String expected) {
        assertEquals(Optional.of(expected), IndexUrl.credentials(url));
        assertEquals(URI.create("https://h.example/"), IndexUrl.redacted(url));
    }

    @Test
    void givesNoCredentialsToUvInASandbox() {
        IndexSettings settings = IndexSettings.fromEnvironment(Map.of(
                "UV_DEFAULT_INDEX", "main=https://user:secret@main.example/simple",
                "UV_INDEX", "corp-a=https://corp.example/simple https://open.example/simple",
                "UV_INDEX_CORP_A_USERNAME", "user",
                "UV_INDEX_CORP_A_PASSWORD", "secret",
                "UV_INDEX_STRATEGY", "first-index",
                "UV_FIND_LINKS", "https://user:secret@links.example/page,https://links.example/x?token=secret"));
        assertEquals(
                List.of(
                        "https://corp.example/simple",
                        "https://user:secret@main.example/simple",
                        "https://user:secret@links.example/page",
                        "https://links.example/x?token=secret"),
                settings.guarded().stream().map(URI::toString).toList());
        assertEquals(Optional.of("user:secret"), settings.credentials(URI.create("https://corp.example/files/x")));
        assertEquals(Optional.empty(), settings.credentials(URI.create("http://corp.example/files/x")));
        assertEquals(Optional.empty(), settings.credentials(URI.create("https://corp.example:444/files/x")));
        assertEquals(Optional.empty(), settings.credentials(URI.create("https://open.example/files/x")));
        assertEquals(
                Map.of(
                        "UV_DEFAULT_INDEX", "main=http://stand-in/main.example",
                        "UV_INDEX", "corp-a=http://stand-in/corp.example http://stand-in/open.example",
                        "UV_INDEX_STRATEGY", "first-index"),
                settings.uvEnvironmentInside(index -> "http://stand-in/" + index.getHost()));
        assertEquals(
                List.of("http://stand-in/links.example", "http://stand-in/links.example"),
                settings.remoteFindLinksInside(index -> "http://stand-in/" + index.getHost()));
    }
}
