package dev.pysandbox.mcp.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Checks the transport of 2024-11-05. */
final class SsePairIT extends HttpServerFixture {
    /** Reads events from a stream until one contains the text. */
    private static String event(RawHttp stream, String text) throws IOException {
        String chunk = stream.readChunk();
        while (!chunk.contains(text)) {
            chunk = stream.readChunk();
        }
        return chunk;
    }

    private RawHttp openStream() throws IOException {
        return connect().send("GET /sse HTTP/1.1\r\nHost: localhost\r\n\r\n");
    }

    private int postTo(String endpoint, String body) throws IOException {
        return raw("POST " + endpoint + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                        + "Content-Length: " + body.length() + "\r\n\r\n" + body)
                .status();
    }

    private static String endpoint(RawHttp stream) throws IOException {
        assertTrue(stream.readHeader().contains("text/event-stream"));
        return event(stream, "event: endpoint").lines().toList().get(1).substring("data: ".length());
    }

    @Test
    void thePairAnswersOnTheStream() throws Exception {
        try (RawHttp stream = openStream();
                RawHttp other = openStream()) {
            String endpoint = endpoint(stream);
            assertNotEquals(endpoint, endpoint(other));
            assertEquals(202, postTo(endpoint, PING));
            assertTrue(event(stream, "event: message").contains("\"id\":1,\"result\":{}"));
            assertEquals(202, postTo(endpoint, request("tools/call", "'name':'talk','_meta':{'progressToken':1}")));
            assertTrue(event(stream, "at work").contains("notifications/progress"));
            assertTrue(event(stream, "done").contains("\"id\":1"));
            assertEquals(202, postTo(endpoint, "[" + PING + "]"));
            assertTrue(event(stream, "event: message").contains("data: [{"));
            assertEquals(": \n\n", other.readChunk(), "the other client receives nothing");
            assertEquals(404, postTo(endpoint + "x", PING));
            assertEquals(404, postTo("/messages", PING));
            assertEquals(400, postTo(endpoint, "{"));
        }
    }

    @Test
    void theSessionOfThePairEndsWithTheStream() throws Exception {
        String endpoint;
        try (RawHttp stream = openStream()) {
            endpoint = endpoint(stream);
            assertEquals(202, postTo(endpoint, request("tools/call", "'name':'wait'")));
            assertTrue(begun.await(30, TimeUnit.SECONDS));
        }
        assertTrue(interrupted.await(30, TimeUnit.SECONDS));
        assertEquals(404, postTo(endpoint, PING));
    }

    @Test
    void thePairSharesTheBoundOfPendingRequestsWithTheEndpoint() throws Exception {
        List<RawHttp> waiting = new ArrayList<>();
        try (RawHttp stream = openStream()) {
            String endpoint = endpoint(stream);
            for (int i = 0; i < BOUNDS.pending(); i++) {
                waiting.add(connect().sendPost(stateless("tools/call", ",'name':'wait'"), call("wait")));
                assertTrue(waiting.get(i).readHeader().startsWith("HTTP/1.1 200"));
            }
            assertEquals(429, postTo(endpoint, PING));
        } finally {
            for (RawHttp client : waiting) {
                client.close();
            }
        }
    }

    @Test
    void thePairIsOffUnlessAskedFor() throws Exception {
        HttpMcpServer plain = start(false, Duration.ofMillis(100));
        try (RawHttp client = new RawHttp(
                new InetSocketAddress(LOOPBACK, URI.create(plain.url()).getPort()))) {
            assertEquals(
                    404,
                    client.send("GET /sse HTTP/1.1\r\nHost: localhost\r\n\r\n")
                            .receive()
                            .status());
        } finally {
            plain.close();
        }
    }
}
