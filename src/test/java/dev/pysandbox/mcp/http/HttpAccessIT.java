package dev.pysandbox.mcp.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pysandbox.mcp.http.RawHttp.Response;
import java.io.IOException;
import java.net.URI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks who is accepted: DNS rebinding, foreign web pages. */
final class HttpAccessIT extends HttpServerFixture {
    @ParameterizedTest
    @CsvSource({
        "localhost,200",
        "localhost:1,200",
        "LOCALHOST,200",
        "127.0.0.1:80,200",
        "[::1]:80,200",
        "evil.example,403",
        "localhost.evil.example,403",
        "evil.example:80,403",
        "localhost@evil.example,403",
        "evil.example#localhost,403",
        "localhost.,403",
        "127.0.0.1.evil.example,403",
        "127.1,403",
        "0.0.0.0,403",
        "localhost:80:80,403",
        "localhost:x,403",
        "'localhost, evil.example',403",
        "'',403"
    })
    void theHostMustNameThisServer(String host, int status) throws IOException {
        assertEquals(
                status,
                raw("GET /healthz HTTP/1.1\r\nHost: " + host + "\r\n\r\n").status());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET /healthz HTTP/1.1\r\n\r\n",
                "GET /healthz HTTP/1.0\r\n\r\n",
                "GET /healthz HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n",
                "GET /healthz HTTP/1.1\r\nHost: evil.example\r\nHost: localhost\r\n\r\n",
                "GET http://evil.example/healthz HTTP/1.1\r\nHost: localhost\r\n\r\n",
                "GET //evil.example/healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
            })
    void theTargetMustBeUnambiguous(String request) throws IOException {
        assertEquals(400, raw(request).status());
    }

    @ParameterizedTest
    @CsvSource({
        "https://allowed.example,200",
        "https://ALLOWED.example,200",
        "OWN,200",
        "http://allowed.example,403",
        "https://allowed.example:8443,403",
        "https://allowed.example.evil.example,403",
        "https://evil.example,403",
        "http://localhost:1,403",
        "http://localhost,403",
        "null,403",
        "'',403",
        "file://,403"
    })
    void foreignOriginsAreRefused(String origin, int status) throws IOException {
        String own = "http://localhost:" + URI.create(server.url()).getPort();
        Response response = ask(
                stateless("tools/list", ""),
                STATELESS,
                "Mcp-Method: tools/list",
                "Origin: " + (origin.equals("OWN") ? own : origin));
        assertEquals(status, response.status());
        assertEquals(
                origin.toLowerCase(java.util.Locale.ROOT).equals("https://allowed.example")
                        ? "https://allowed.example"
                        : "",
                response.header("Access-Control-Allow-Origin"));
    }

    @Test
    void aPreflightIsAnsweredForAllowedOriginsOnly() throws IOException {
        String preflight =
                "OPTIONS /mcp HTTP/1.1\r\nHost: localhost\r\nAccess-Control-Request-Method: POST\r\nOrigin: ";
        Response allowed = raw(preflight + "https://allowed.example\r\n\r\n");
        assertEquals(204, allowed.status());
        assertTrue(allowed.header("Access-Control-Allow-Headers").contains("Mcp-Name"));
        assertEquals("", allowed.header("Access-Control-Allow-Credentials"));
        assertEquals(403, raw(preflight + "https://evil.example\r\n\r\n").status());
    }

    @ParameterizedTest
    @ValueSource(strings = {"text/plain", "application/x-www-form-urlencoded", "application/jsonp", ""})
    void typesThatWebPagesMaySendAreRefused(String type) throws IOException {
        assertEquals(
                415,
                raw("POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: " + type + "\r\nContent-Length: "
                                + PING.length() + "\r\n\r\n" + PING)
                        .status());
    }
}
