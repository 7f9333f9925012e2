package dev.pysandbox.mcp.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pysandbox.mcp.http.RawHttp.Response;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Attacks the HTTP server: too much, too slow, ambiguous, malformed. */
final class HttpBoundsIT extends HttpServerFixture {
    // -- bounds

    @Test
    void aBodyThatIsTooLongGets413AlsoWhileItIsSent() throws IOException {
        assertEquals(413, ask("x".repeat((1 << 20) + 1)).status());
        try (RawHttp client = connect()) {
            client.send(POST_HEADER + "Transfer-Encoding: chunked\r\n\r\n");
            for (int i = 0; i < 80; i++) {
                client.send("4000\r\n" + "x".repeat(0x4000) + "\r\n");
            }
            assertEquals(413, client.send("0\r\n\r\n").receive().status());
        }
        assertAlive();
    }

    @Test
    void aHeaderThatIsTooLongGets431() throws IOException {
        assertEquals(431, ask(PING, "X: " + "y".repeat(5_000)).status());
        assertEquals(0, ask(PING, "X: " + "y".repeat(500_000)).status());
        assertAlive();
    }

    @Test
    void slowSendersAreEnded() throws IOException {
        List<RawHttp> slow = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            slow.add(connect().send(i % 2 == 0 ? "POST /mcp HTTP/1.1\r\nHost: loc" : "GET "));
        }
        try (RawHttp client = connect()) {
            client.send(POST_HEADER + "Content-Length: 100\r\n\r\n{");
            assertAlive();
            assertEquals(408, client.receive().status());
            assertTrue(client.isClosed());
        }
        for (RawHttp client : slow) {
            assertTrue(client.isClosed());
            client.close();
        }
        assertAlive();
    }

    @Test
    void tooManyWaitingRequestsGet429() throws Exception {
        List<RawHttp> waiting = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            waiting.add(connect().sendPost(stateless("tools/call", ",'name':'wait'"), call("wait")));
        }
        for (RawHttp client : waiting) {
            assertTrue(client.readHeader().startsWith("HTTP/1.1 200"));
        }
        Response refused = ask(stateless("tools/list", ""), STATELESS, "Mcp-Method: tools/list");
        assertEquals(429, refused.status());
        assertEquals("5", refused.header("Retry-After"));
        assertEquals(5, refused.json().at("/error/data/retryAfterSeconds").asInt());
        released.countDown();
        for (RawHttp client : waiting) {
            String chunk = client.readChunk();
            while (chunk.startsWith(":")) {
                chunk = client.readChunk();
            }
            assertTrue(chunk.contains("released"), chunk);
            client.close();
        }
        assertAlive();
    }

    @Test
    void aClientThatDoesNotReadIsClosedAndDelaysNobody() throws Exception {
        String session = session("2025-11-25");
        ask(request("logging/setLevel", "'level':'info'"), session);
        try (RawHttp client = connect()) {
            client.sendPost(request("tools/call", "'name':'flood'"), session);
            assertTrue(client.readHeader().startsWith("HTTP/1.1 200"));
            assertAlive();
            Thread.sleep(2_500);
            assertAlive();
            assertFalse(client.readToEnd().contains("done"), "all was written");
        }
    }

    // -- framing and hostile input

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                "Content-Length: 0\r\nContent-Length: 5\r\n\r\nhello",
                "Content-Length: +5\r\n\r\nhello",
                "Content-Length: -5\r\n\r\nhello",
                "Content-Length: 0x5\r\n\r\nhello",
                "Content-Length: 5, 5\r\n\r\nhello",
                "Content-Length: 99999999999999999999\r\n\r\nhello",
                "Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n",
                "Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n",
                "Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n",
                "Transfer-Encoding: chunked\r\nTransfer-Encoding: x\r\n\r\n0\r\n\r\n"
            })
    void anAmbiguousLengthEndsTheConnection(String rest) throws IOException {
        String smuggled = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n";
        try (RawHttp client = connect()) {
            client.send(
                    "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n" + rest + smuggled);
            int status = client.receive().status();
            assertTrue(status == 0 || status == 400 || status == 501, "status " + status);
            assertTrue(client.isClosed(), "a second request was answered");
        }
        assertAlive();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "{", "[", "null", "5", "[]", "{}", "\u0000", "[[]]", "{\"jsonrpc\":\"2.0\",\"id\":null}"})
    void aBodyThatIsNoMessageGets400(String body) throws IOException {
        assertEquals(400, ask(body, session("2025-11-25")).status());
        assertEquals(400, ask("[".repeat(100_000)).status());
    }

    @Test
    void mutatedRequestsDoNoHarm() throws IOException {
        Random random = new Random(7);
        String body = stateless("tools/call", ",'name':'echo','arguments':{'text':'hi'}");
        String request = "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                + String.join("\r\n", call("echo")) + "\r\nContent-Length: " + body.length() + "\r\n\r\n" + body;
        int rounds = 500 * Integer.getInteger("fuzz", 1);
        for (int i = 0; i < rounds; i++) {
            byte[] bytes = request.getBytes(StandardCharsets.UTF_8);
            for (int j = random.nextInt(5); j >= 0; j--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
            }
            int length = random.nextInt(10) == 0 ? random.nextInt(bytes.length) : bytes.length;
            try (java.net.Socket socket =
                    new java.net.Socket(LOOPBACK, URI.create(server.url()).getPort())) {
                socket.getOutputStream().write(Arrays.copyOf(bytes, length));
                socket.shutdownOutput();
                String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
                assertFalse(answer.contains("Exception:") || answer.contains("\tat "), answer);
            } catch (java.net.SocketException e) {
                // reset: also an end
            }
        }
        assertAlive();
    }

    @Test
    void moreConnectionsThanAllowedAreClosed() throws Exception {
        List<RawHttp> open = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            open.add(connect());
        }
        int closed = 0;
        // The last one first: when it is closed, the server has seen all.
        for (int i = open.size() - 1; i >= 0; i--) {
            try (RawHttp client = open.get(i)) {
                Response response = client.send("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
                        .receive();
                closed += response.status() == 0 ? 1 : 0;
            }
        }
        assertEquals(300 - BOUNDS.connections(), closed);
        // The server notices only after a while that they are closed.
        while (ask(stateless("tools/list", ""), STATELESS, "Mcp-Method: tools/list")
                        .status()
                == 0) {
            Thread.sleep(100);
        }
    }
}
