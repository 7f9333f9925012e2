package dev.pysandbox.mcp.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pysandbox.mcp.http.RawHttp.Response;
import dev.pysandbox.mcp.jsonrpc.Jackson2Mapper;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Attacks the HTTP server with what costs it more than the client: many small values, bodies that never come. */
final class HttpExhaustionIT extends HttpServerFixture {
    @Test
    void aBodyOfTooManyValuesGets400() throws IOException {
        Response refused = ask("[" + "{},".repeat(Jackson2Mapper.MAX_TOKENS) + "{}]");
        assertEquals(400, refused.status());
        assertEquals(-32700, refused.json().at("/error/code").asInt(), refused.body());
        assertAlive();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET /healthz",
                "HEAD /readyz",
                "POST /healthz",
                "GET /mcp",
                "OPTIONS /mcp",
                "GET /elsewhere",
                "POST /mcp"
            })
    void aBodyThatDoesNotComeEndsTheConnection(String request) throws IOException {
        try (RawHttp client = connect()) {
            client.send(request + " HTTP/1.1\r\nHost: localhost\r\nOrigin: https://allowed.example\r\n"
                    + "Content-Length: 1000\r\n\r\n");
            assertTrue(client.readHeader().startsWith("HTTP/1.1 "));
            while (!client.isClosed()) {
                // The body of the response.
            }
        }
        assertAlive();
    }
}
