package dev.pysandbox.mcp.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.sun.net.httpserver.HttpExchange;
import dev.pysandbox.mcp.jsonrpc.Jackson2Mapper;
import dev.pysandbox.mcp.jsonrpc.RpcError;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Map;

/** Sends refusals as JSON-RPC errors without an id. */
final class Refusals {
    private static final int CHUNK = 1 << 16;

    /** How much of a request is read after its refusal, so that its sender reads the response instead of an error. */
    private static final long DISCARDED = 1L << 30;

    private static final Duration TIME_TO_DISCARD = Duration.ofSeconds(5);

    private Refusals() {}

    /** Sends a refusal, discards the rest of the request and closes the connection. */
    static void sendAndClose(HttpExchange exchange, Jackson2Mapper json, Refusal refusal, HttpThreads threads) {
        HttpThreads.TimeLimit limit = threads.limit(TIME_TO_DISCARD);
        try {
            send(exchange, json, refusal);
            InputStream in = exchange.getRequestBody();
            byte[] chunk = new byte[CHUNK];
            long left = DISCARDED;
            int read = in.read(chunk);
            while (read >= 0 && left > 0) {
                left -= read;
                read = in.read(chunk);
            }
        } catch (IOException e) {
            // The client is gone or too slow.
        } finally {
            exchange.close();
            limit.close();
        }
    }

    /** Sends a refusal, and leaves the exchange open. */
    static void send(HttpExchange exchange, Jackson2Mapper json, Refusal refusal) {
        try {
            exchange.getResponseHeaders().set("Connection", "close");
            refusal.headers().forEach(exchange.getResponseHeaders()::set);
            HttpMessages.begin(exchange, refusal.status(), "application/json", text(json, refusal.error()));
        } catch (IOException e) {
            // The client is gone.
        }
    }

    static String text(Jackson2Mapper json, RpcError error) {
        try {
            return json.writeValueAsString(Map.of("jsonrpc", "2.0", "error", error));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }
}
