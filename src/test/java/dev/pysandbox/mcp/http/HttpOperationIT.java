package dev.pysandbox.mcp.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pysandbox.mcp.http.RawHttp.Response;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Checks health, readiness and the end of the HTTP server. */
final class HttpOperationIT extends HttpServerFixture {
    @Test
    void healthAndReadinessAnswer() throws IOException {
        assertEquals(
                "ok\n", raw("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n").body());
        assertEquals(
                "ready\n",
                raw("GET /readyz HTTP/1.1\r\nHost: localhost\r\n\r\n").body());
        assertEquals(
                405,
                raw("POST /readyz HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n")
                        .status());
        assertEquals(404, raw("GET /mcp/ HTTP/1.1\r\nHost: localhost\r\n\r\n").status());
        assertEquals(404, raw("GET /mcpx HTTP/1.1\r\nHost: localhost\r\n\r\n").status());
    }

    @Test
    void aRunningCallEndsBeforeTheServerDoes() throws Exception {
        try (RawHttp client = connect()) {
            client.sendPost(stateless("tools/call", ",'name':'wait'"), call("wait"));
            assertTrue(begun.await(30, TimeUnit.SECONDS));
            Thread closing = new Thread(server::close);
            closing.start();
            Response ready = raw("GET /readyz HTTP/1.1\r\nHost: localhost\r\n\r\n");
            while (ready.status() == 200) {
                ready = raw("GET /readyz HTTP/1.1\r\nHost: localhost\r\n\r\n");
            }
            assertEquals(503, ready.status());
            Response refused = ask(stateless("tools/list", ""), STATELESS, "Mcp-Method: tools/list");
            assertEquals(503, refused.status());
            assertNotEquals("", refused.header("Retry-After"));
            released.countDown();
            assertEquals(
                    "released",
                    client.receive().json().at("/result/content/0/text").asText());
            closing.join();
        }
    }

    @Test
    void aCallThatTakesTooLongIsInterruptedAndAnswered() throws Exception {
        HttpMcpServer impatient = start(false, Duration.ofMillis(100));
        InetSocketAddress address =
                new InetSocketAddress(LOOPBACK, URI.create(impatient.url()).getPort());
        try (RawHttp client = new RawHttp(address)) {
            client.sendPost(stateless("tools/call", ",'name':'wait'"), call("wait"));
            assertTrue(begun.await(30, TimeUnit.SECONDS));
            impatient.close();
            assertEquals(
                    "interrupted",
                    client.receive().json().at("/result/content/0/text").asText());
        }
    }

    @Test
    void theClockEndsWithTheServer() throws Exception {
        ask(PING, session("2025-11-25"));
        List<Thread> clocks = Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("http-clock"))
                .toList();
        assertFalse(clocks.isEmpty());
        server.close();
        for (Thread clock : clocks) {
            clock.join(10_000);
            assertFalse(clock.isAlive());
        }
    }
}
