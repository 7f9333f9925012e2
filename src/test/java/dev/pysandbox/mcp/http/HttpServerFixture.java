package dev.pysandbox.mcp.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.pysandbox.mcp.McpServer;
import dev.pysandbox.mcp.ToyTool;
import dev.pysandbox.mcp.http.RawHttp.Response;
import dev.pysandbox.mcp.tools.LogLevel;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;

/** What the tests of the HTTP server share: a server with four tools, and requests over real connections. */
@Timeout(120)
abstract class HttpServerFixture {
    static final HttpBounds BOUNDS = new HttpBounds(
            1 << 20,
            4 << 20,
            4 << 10,
            256,
            8,
            Duration.ofSeconds(1),
            Duration.ofSeconds(1),
            Duration.ofSeconds(1),
            Duration.ofMillis(100));
    static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();
    static final String PING = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}";
    static final String POST_HEADER = "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n";
    static final String STATELESS = "MCP-Protocol-Version: 2026-07-28";

    final CountDownLatch begun = new CountDownLatch(1);
    final CountDownLatch released = new CountDownLatch(1);
    final CountDownLatch interrupted = new CountDownLatch(1);
    private final ToyTool talk = new ToyTool("talk", (arguments, caller) -> {
        caller.progress("at work");
        caller.log(LogLevel.INFO, "by the way");
        return "done";
    });
    private final ToyTool flood = new ToyTool("flood", (arguments, caller) -> {
        for (int i = 0; i < 2_000; i++) {
            caller.log(LogLevel.INFO, "x".repeat(10_000));
        }
        return "done";
    });
    final HttpMcpServer server = start(true, Duration.ofSeconds(10), "https://allowed.example");

    HttpMcpServer start(boolean ssePair, Duration drain, String... origins) {
        try {
            return new HttpMcpServer(
                    new McpServer(
                            List.of(ToyTool.ECHO, ToyTool.waiting(begun, released, interrupted), talk, flood), true),
                    new ListenAddress(LOOPBACK, 0),
                    List.of(origins),
                    ssePair,
                    drain,
                    BOUNDS);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @AfterEach
    void stop() {
        released.countDown();
        server.close();
    }

    RawHttp connect() throws IOException {
        return new RawHttp(
                new InetSocketAddress(LOOPBACK, URI.create(server.url()).getPort()));
    }

    Response ask(String body, String... header) throws IOException {
        try (RawHttp client = connect()) {
            return client.post(body, header);
        }
    }

    Response raw(String request) throws IOException {
        try (RawHttp client = connect()) {
            return client.send(request).receive();
        }
    }

    static String request(String method, String params) {
        return "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"" + method + "\",\"params\":{" + params.replace('\'', '"')
                + "}}";
    }

    static String stateless(String method, String params) {
        return request(
                method,
                "'_meta':{'io.modelcontextprotocol/protocolVersion':'2026-07-28',"
                        + "'io.modelcontextprotocol/clientCapabilities':{},'progressToken':'p'}" + params);
    }

    static String[] call(String tool) {
        return new String[] {STATELESS, "Mcp-Method: tools/call", "Mcp-Name: " + tool};
    }

    Response initialize(String version) throws IOException {
        return ask(request(
                "initialize", "'protocolVersion':'" + version + "','clientInfo':{'name':'test','version':'1'}"));
    }

    String session(String version) throws IOException {
        return "Mcp-Session-Id: " + initialize(version).header("Mcp-Session-Id");
    }

    void assertAlive() throws IOException {
        assertEquals(
                200,
                ask(stateless("tools/list", ""), STATELESS, "Mcp-Method: tools/list")
                        .status());
    }
}
