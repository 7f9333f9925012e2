package dev.pysandbox.index;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpExchange;
import dev.pysandbox.egress.VirtualHost.Answer;
import dev.pysandbox.support.Host;
import dev.pysandbox.support.Platform;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
final class IndexGatewayIT {
    private static final String SECRET = "s3cr3t";
    private static final Pattern HREF = Pattern.compile("href=\"http://[0-9a-f]{20}\\.index\\.invalid(/[^\"#]*)");

    @TempDir
    private Path folder;

    private final List<String> asked = new CopyOnWriteArrayList<>();
    private LocalIndex index;
    private LocalIndex other;
    private IndexGateways gateways;

    @BeforeEach
    void start() throws IOException {
        index = LocalIndex.http();
        other = LocalIndex.http();
        index.serve("/", exchange -> guarded(exchange, LocalIndex.html("everything of this host")));
        index.serve("/simple/a/", exchange -> guarded(exchange, LocalIndex.html(page())));
        index.serve("/files/a.whl", exchange -> guarded(exchange, LocalIndex.bytes(new byte[] {1, 2, 3})));
        index.serve("/files/a.html", exchange -> guarded(exchange, LocalIndex.html("<a href=\"/api/tokens\">x</a>")));
        index.serve("/simple/moved/", exchange -> guarded(exchange, LocalIndex.redirect("/simple/a/?x=1")));
        index.serve("/simple/away/", exchange -> guarded(exchange, LocalIndex.redirect(other.url("/a"))));
        gateways = open(index.url("/simple/"), folder);
    }

    private String page() {
        return "<a href=\"../../files/a.whl#sha256=0\">a</a><a href=\"" + index.url("/files/a.html")
                + "\">b</a><a href=\"" + other.url("/c.whl") + "\">c</a>";
    }

    private void guarded(HttpExchange exchange, LocalIndex.Handler handler) throws IOException {
        asked.add(exchange.getRequestURI().toString());
        String expected =
                "Basic " + Base64.getEncoder().encodeToString(("user:" + SECRET).getBytes(StandardCharsets.UTF_8));
        if (expected.equals(exchange.getRequestHeaders().getFirst("Authorization"))) {
            exchange.getResponseHeaders().set("Set-Cookie", "session=" + SECRET);
            exchange.getResponseHeaders().set("ETag", "\"tag\"");
            exchange.getResponseHeaders()
                    .set("X-Range", String.valueOf(exchange.getRequestHeaders().getFirst("Range")));
            handler.handle(exchange);
        } else {
            LocalIndex.answer(exchange, 401, "text/plain", new byte[0]);
        }
    }

    @AfterEach
    void stop() {
        index.close();
        other.close();
    }

    private static IndexGateways open(String url, Path cache) throws IOException {
        String guarded = url.replace("://", "://user:" + SECRET + "@");
        Host host = new Host(Map.of("UV_DEFAULT_INDEX", guarded), cache, cache, Platform.of("Linux", "amd64", false));
        return IndexGateways.open(IndexSettings.fromEnvironment(host.environment()), host);
    }

    @Test
    void servesPagesAndWhatTheyLinkTo() throws Exception {
        String page = body(ask("/simple/a/"));
        Matcher links = HREF.matcher(page);
        assertTrue(links.find(), page);
        String file = links.group(1);
        assertTrue(file.endsWith("/files/a.whl"), file);
        assertTrue(page.contains("#sha256=0"), page);
        assertTrue(page.contains("href=\"" + other.url("/c.whl") + "\""), page);
        Answer answer = ask(file);
        assertEquals(OptionalLong.of(3), answer.length());
        assertEquals("\1\2\3", body(answer));
        assertEquals("\"tag\"", answer.fields().get("ETag"));
        assertFalse(answer.fields().toString().contains(SECRET), answer.fields()::toString);
    }

    @Test
    void forwardsTheMetadataOfALinkedWheel() throws Exception {
        Matcher links = HREF.matcher(body(ask("/simple/a/")));
        assertTrue(links.find());
        index.serve("/files/a.whl.metadata", exchange -> guarded(exchange, LocalIndex.bytes(new byte[] {7})));
        assertEquals("\7", body(ask(links.group(1) + ".metadata")));
    }

    /** The content of a file may come from an attacker, so its links must not be signed. */
    @Test
    void signsNoLinksOfFiles() throws Exception {
        Matcher links = HREF.matcher(body(ask("/simple/a/")));
        assertTrue(links.find());
        assertTrue(links.find());
        assertEquals("<a href=\"/api/tokens\">x</a>", body(ask(links.group(1))));
        String asPage = links.group(1).replaceFirst("^/file/", "/page/");
        assertEquals(403, ask(asPage).status());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/",
                "/api/tokens",
                "/files/a.whl",
                "/simple",
                "/simple/../api/tokens",
                "/simple/..",
                "/simple/.",
                "/simple/%2e%2e/api",
                "/simple/a/../../api",
                "/simple/a/b",
                "/simple//api",
                "/simple/a?x",
                "/simple/a\\..\\api",
                "/links",
                "/file/AAAAAAAAAAAAAAAAAAAAAA/api/tokens",
                "/page/AAAAAAAAAAAAAAAAAAAAAA/simple/a/",
                "@other.example/",
            })
    void readsNothingElseOfTheHost(String path) throws Exception {
        Answer answer = ask(path);
        assertEquals(403, answer.status());
        assertTrue(body(answer).contains("only its pages"), path);
        assertEquals(List.of(), asked);
    }

    @Test
    void refusesTheSignatureOfAnotherLinkOrIndex() throws Exception {
        Matcher links = HREF.matcher(body(ask("/simple/a/")));
        assertTrue(links.find());
        asked.clear();
        assertEquals(403, ask(links.group(1).replace("a.whl", "b.whl")).status());
        assertEquals(403, ask(links.group(1) + "?x").status());
        IndexGateways elsewhere = open(other.url("/simple/"), folder);
        assertEquals(
                403,
                elsewhere.hosts().get(0).answer("GET", links.group(1), Map.of()).status());
        assertEquals(List.of(), asked);
    }

    @Test
    void signsRedirectsWithinTheOriginOnly() throws Exception {
        Answer moved = ask("/simple/moved/");
        assertEquals(302, moved.status());
        String location = moved.fields().get("Location");
        String host = "http://" + gateways.hosts().get(0).name();
        assertTrue(location.startsWith(host + "/page/") && location.endsWith("/simple/a/?x=1"), location);
        assertTrue(body(ask(location.substring(host.length()))).contains(host + "/file/"));
        assertEquals(other.url("/a"), ask("/simple/away/").fields().get("Location"));
    }

    @Test
    void forwardsRangesAndConditionsButNoOtherFields() throws Exception {
        List<String> seen = new CopyOnWriteArrayList<>();
        index.serve("/simple/b/", exchange -> {
            exchange.getRequestHeaders().forEach((name, values) -> seen.add(name + ": " + values));
            LocalIndex.answer(exchange, 304, "text/html", new byte[0]);
        });
        Map<String, String> fields = new HashMap<>(Map.of("range", "bytes=0-1", "if-none-match", "\"x\""));
        fields.putAll(Map.of("authorization", "Basic evil", "cookie", "a=b", "host", "evil", "x-forwarded-for", "1"));
        Answer answer = gateways.hosts().get(0).answer("GET", "/simple/b/", fields);
        assertEquals(304, answer.status());
        assertTrue(seen.contains("Range: [bytes=0-1]") && seen.contains("If-none-match: [\"x\"]"), seen::toString);
        assertFalse(seen.toString().contains("evil") || seen.toString().contains("X-forwarded"), seen::toString);
        assertFalse(seen.toString().contains("Cookie"), seen::toString);
    }

    @Test
    void hasTheSameNameForTheSameCacheFolder() throws Exception {
        String url = gateways.hosts().get(0).url();
        assertEquals(url, open(index.url("/simple/"), folder).hosts().get(0).url());
        assertNotEquals(
                url,
                open(index.url("/simple/"), folder.resolve("new"))
                        .hosts()
                        .get(0)
                        .url());
    }

    @Test
    void explainsAndTranslates() throws Exception {
        IndexGateway gateway = gateways.hosts().get(0);
        assertEquals(
                "error: " + index.url("/simple/") + "a/ and " + index.url("") + "/files/a.whl",
                gateways.translate("error: " + gateway.url() + "a/ and http://" + gateway.name()
                        + "/file/AAAAAAAAAAAAAAAAAAAAAA/files/a.whl"));
        assertEquals(Optional.empty(), gateways.problem("Failed to fetch"));
        index.close();
        try {
            ask("/simple/a/");
        } catch (IOException e) {
            assertTrue(e.getMessage().contains(index.url("") + " can't be reached"), e.getMessage());
        }
        assertTrue(gateways.problem("Failed to fetch").isPresent());
        assertEquals(Optional.empty(), gateways.problem("No solution found"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"text/html", "application/vnd.pypi.simple.v1+json", "application/octet-stream"})
    void endsAnAnswerThatStalls(String type) throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        index.serve("/simple/slow/", exchange -> {
            exchange.getResponseHeaders().set("Content-Type", type);
            exchange.sendResponseHeaders(200, 100_000);
            exchange.getResponseBody().write('[');
            exchange.getResponseBody().flush();
            try (exchange) {
                release.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        URI address = URI.create(index.url("/simple/"));
        Host host = new Host(Map.of(), folder, folder, Platform.of("Linux", "amd64", false));
        IndexClient client =
                new IndexClient(IndexSettings.fromEnvironment(Map.of("UV_DEFAULT_INDEX", address.toString())));
        IndexGateway gateway = new IndexGateway(address, false, IndexLink.Key.of(host), client, Duration.ofMillis(200));
        Answer answer = gateway.answer("GET", "/simple/slow/", Map.of());
        IOException problem = assertThrows(IOException.class, () -> body(answer));
        assertTrue(
                problem.getMessage().contains("/simple/slow/ can't be used: it sent less than"), problem.getMessage());
        assertEquals(Optional.of(problem.getMessage()), gateway.problem());
        release.countDown();
    }

    @Test
    void reportsAPageThatIsTooLarge() throws Exception {
        index.serve("/simple/b/", LocalIndex.json("[".repeat(100)));
        Answer answer = ask("/simple/b/");
        assertThrows(IOException.class, () -> body(answer));
        assertEquals(
                Optional.of(index.url("/simple/b/")
                        + " can't be used: a text, a number or the nesting is too large for a page of an index"),
                gateways.problem("Failed to fetch"));
    }

    private Answer ask(String path) throws IOException, InterruptedException {
        return gateways.hosts().get(0).answer("GET", path, Map.of());
    }

    private static String body(Answer answer) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (var content = answer.content()) {
            content.copy(out);
        }
        return out.toString(StandardCharsets.ISO_8859_1);
    }
}
