package dev.pysandbox.mcp.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pysandbox.mcp.http.RawHttp.Response;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks Streamable HTTP by the rules of each revision. */
final class StreamableHttpIT extends HttpServerFixture {
    // -- the stateless revision

    @Test
    void theStatelessRevisionListsAndCallsWithoutASession() throws IOException {
        Response list = ask(stateless("tools/list", ""), STATELESS, "Mcp-Method: tools/list", "Mcp-Session-Id: x");
        assertEquals(200, list.status());
        assertEquals("application/json", list.header("Content-Type"));
        assertEquals("", list.header("Mcp-Session-Id"));
        assertEquals("echo", list.json().at("/result/tools/0/name").asText());
        Response call = ask(stateless("tools/call", ",'name':'echo','arguments':{'text':'hi'}"), call("echo"));
        assertEquals("hi", call.json().at("/result/content/0/text").asText());
        assertEquals("complete", call.json().at("/result/resultType").asText());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            tools/list  |          | 200 |
            tools/list  | tools/call | 400 | -32020
            tools/list  | TOOLS/LIST | 400 | -32020
            tools/list  | ''       | 400 | -32020
            ping        | ping     | 404 | -32601
            initialize  | initialize | 404 | -32601
            no/such     | no/such  | 404 | -32601
            """)
    void theHeaderMethodMustEqualTheBody(String method, String header, int status, Integer code) throws IOException {
        Response response = ask(stateless(method, ""), STATELESS, "Mcp-Method: " + (header == null ? method : header));
        assertEquals(status, response.status(), response::body);
        assertEquals(code == null ? 0 : code, response.json().at("/error/code").asInt());
        assertEquals(1, response.json().get("id").asInt());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            MCP-Protocol-Version: 2026-07-28 | 200
            mcp-protocol-version:2026-07-28  | 200
            MCP-Protocol-Version: 2025-11-25 | 400
            MCP-Protocol-Version: 2036-07-28 | 400
            X: y                             | 400
            """)
    void theHeaderVersionMustEqualTheBody(String header, int status) throws IOException {
        Response response = ask(stateless("tools/list", ""), header, "Mcp-Method: tools/list");
        assertEquals(status, response.status(), response::body);
        assertEquals(
                status == 200 ? 0 : -32020, response.json().at("/error/code").asInt());
    }

    @Test
    void anUnknownVersionIsNamed() throws IOException {
        Response response = ask(
                stateless("tools/list", "").replace("2026-07-28", "2036-01-01"),
                "MCP-Protocol-Version: 2036-01-01",
                "Mcp-Method: tools/list");
        assertEquals(400, response.status());
        assertEquals(-32022, response.json().at("/error/code").asInt());
        assertEquals("2036-01-01", response.json().at("/error/data/requested").asText());
    }

    @ParameterizedTest
    @CsvSource({
        "echo,200",
        "=?base64?ZWNobw==?=,200",
        "=?base64?ZWNobw?=,400",
        "=?base64?ZWN!bw==?=,400",
        "=?base64?/w==?=,400",
        "Echo,400",
        "'',400"
    })
    void theHeaderNameMustEqualTheBody(String name, int status) throws IOException {
        assertEquals(
                status,
                ask(stateless("tools/call", ",'name':'echo','arguments':{'text':'hi'}"), call(name))
                        .status());
    }

    @Test
    void aRepeatedHeaderIsRefused() throws IOException {
        String[] header = {STATELESS, "Mcp-Method: tools/list", "Mcp-Method: tools/call"};
        assertEquals(
                -32020,
                ask(stateless("tools/list", ""), header)
                        .json()
                        .at("/error/code")
                        .asInt());
        assertEquals(
                400,
                ask(stateless("tools/list", ""), STATELESS, STATELESS, "Mcp-Method: tools/list")
                        .status());
    }

    @Test
    void progressMakesTheResponseAStream() throws IOException {
        Response response = ask(stateless("tools/call", ",'name':'talk'"), call("talk"));
        assertEquals("text/event-stream", response.header("Content-Type"));
        assertEquals("no", response.header("X-Accel-Buffering"));
        assertTrue(response.body().contains("\"message\":\"at work\""), response::body);
        assertFalse(response.body().contains("by the way"), response::body);
        assertEquals("done", response.json().at("/result/content/0/text").asText());
    }

    @Test
    void closingTheStreamCancelsTheCall() throws Exception {
        try (RawHttp client = connect()) {
            client.sendPost(stateless("tools/call", ",'name':'wait'"), call("wait"));
            assertTrue(begun.await(30, TimeUnit.SECONDS));
            assertTrue(client.readHeader().contains("text/event-stream"));
            assertEquals(": \n\n", client.readChunk());
        }
        assertTrue(interrupted.await(30, TimeUnit.SECONDS));
    }

    @Test
    void aSubscriptionIsAcknowledgedAndEndsWithTheServer() throws Exception {
        try (RawHttp client = connect()) {
            client.sendPost(
                    stateless("subscriptions/listen", ",'notifications':{}"),
                    STATELESS,
                    "Mcp-Method: subscriptions/listen");
            client.readHeader();
            assertTrue(client.readChunk().contains("notifications/subscriptions/acknowledged"));
            assertEquals(": \n\n", client.readChunk());
            server.close();
            String chunk = client.readChunk();
            while (chunk.startsWith(":")) {
                chunk = client.readChunk();
            }
            assertTrue(chunk.contains("\"result\""), chunk);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET", "DELETE", "PUT", "OPTIONS", "TRACE", "HEAD"})
    void onlyPostIsAllowed(String method) throws IOException {
        Response response = raw(method + " /mcp HTTP/1.1\r\nHost: localhost\r\n\r\n");
        assertEquals(405, response.status());
        assertEquals("POST", response.header("Allow"));
    }

    // -- the revisions with a handshake

    @ParameterizedTest
    @ValueSource(strings = {"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"})
    void aHandshakeIssuesASession(String version) throws IOException {
        Response response = initialize(version);
        assertEquals(version, response.json().at("/result/protocolVersion").asText());
        String session = "Mcp-Session-Id: " + response.header("Mcp-Session-Id");
        String versionHeader = "MCP-Protocol-Version: " + version;
        Response initialized =
                ask("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}", session, versionHeader);
        assertEquals(202, initialized.status());
        assertEquals("", initialized.body());
        assertEquals(200, ask(PING, session, versionHeader).status());
        Response missing = ask(request("no/such", ""), session, versionHeader);
        assertEquals(200, missing.status());
        assertEquals(-32601, missing.json().at("/error/code").asInt());
    }

    @Test
    void aFailedHandshakeIssuesNoSession() throws IOException {
        Response response = ask(request("initialize", "'protocolVersion':5"));
        assertEquals(-32602, response.json().at("/error/code").asInt());
        assertEquals("", response.header("Mcp-Session-Id"));
    }

    @Test
    void aSessionIsRequiredAndMustBeGenuine() throws IOException {
        assertEquals(400, ask(PING).status());
        assertEquals(404, ask(PING, "Mcp-Session-Id: x").status());
        String id = session("2025-11-25");
        assertEquals(200, ask(PING, id).status());
        for (int i = "Mcp-Session-Id: ".length(); i < id.length(); i++) {
            String forged = id.substring(0, i) + (id.charAt(i) == 'A' ? 'B' : 'A') + id.substring(i + 1);
            assertEquals(404, ask(PING, forged).status(), forged);
        }
        assertEquals(404, ask(PING, id + "A").status());
        assertEquals(400, ask(PING, id, id).status());
    }

    @Test
    void anUnknownVersionHeaderIsRefused() throws IOException {
        assertEquals(
                400,
                ask(PING, session("2025-11-25"), "MCP-Protocol-Version: 1900-01-01")
                        .status());
    }

    @Test
    void aClosedStreamDoesNotCancelButANotificationDoes() throws Exception {
        String session = session("2025-11-25");
        String wait = request("tools/call", "'name':'wait'");
        try (RawHttp client = connect()) {
            client.sendPost(wait, session);
            assertTrue(begun.await(30, TimeUnit.SECONDS));
            client.readHeader();
            client.readChunk();
        }
        assertFalse(interrupted.await(1, TimeUnit.SECONDS));
        String cancel = "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":1}}";
        assertEquals(202, ask(cancel, session("2025-11-25")).status());
        assertFalse(interrupted.await(200, TimeUnit.MILLISECONDS), "another session cancels the call");
        assertEquals(202, ask(cancel, session).status());
        assertTrue(interrupted.await(30, TimeUnit.SECONDS));
    }

    @Test
    void theLogLevelBelongsToTheSession() throws IOException {
        String session = session("2025-11-25");
        assertEquals(
                200, ask(request("logging/setLevel", "'level':'info'"), session).status());
        String talk = request("tools/call", "'name':'talk'");
        assertTrue(ask(talk, session).body().contains("by the way"));
        assertFalse(ask(talk, session("2025-11-25")).body().contains("by the way"));
    }

    @ParameterizedTest
    @CsvSource({"2025-03-26,200", "2025-06-18,400"})
    void batchesAreForTheRevisionsThatHaveThem(String version, int status) throws IOException {
        String session = session(version);
        Response response = ask("[" + PING + "," + PING.replace(":1", ":2") + "]", session);
        assertEquals(status, response.status());
        assertEquals(
                status == 200 ? 2 : 0,
                response.json().isArray() ? response.json().size() : 0);
        if (status == 200) {
            assertEquals(
                    202,
                    ask("[{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}]", session)
                            .status());
        }
    }

    @Test
    void aClientWithoutStreamsGetsJson() throws IOException {
        String body = stateless("tools/call", ",'name':'talk'");
        Response response = raw("POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                + String.join("\r\n", call("talk")) + "\r\nContent-Length: " + body.length() + "\r\n\r\n" + body);
        assertEquals("application/json", response.header("Content-Type"));
        assertEquals("done", response.json().at("/result/content/0/text").asText());
    }
}
