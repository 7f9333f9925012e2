package dev.pysandbox.mcp.http;

import dev.pysandbox.mcp.jsonrpc.Incoming;
import java.time.Duration;

/**
 * What the server accepts.
 *
 * @param bodyBytes longest body of a request; a longer one gets 413
 * @param heldBytes most bytes of all bodies whose requests are pending; beyond it a request gets 503
 * @param headerBytes longest header; a longer one gets 431
 * @param connections most connections; the JDK closes further ones
 * @param pending most requests without a response; further ones get 429
 * @param headerTime time to send a header; then the connection is closed
 * @param bodyTime time to send a body; then the request gets 408
 * @param writeTime time to read one message of a response; then the connection is closed
 * @param heartbeat time without a message after which a stream gets a comment, which shows whether the client is gone
 */
record HttpBounds(
        int bodyBytes,
        long heldBytes,
        int headerBytes,
        int connections,
        int pending,
        Duration headerTime,
        Duration bodyTime,
        Duration writeTime,
        Duration heartbeat) {
    static HttpBounds defaults() {
        // While a body is parsed, its bytes exist up to four times.
        long share = Runtime.getRuntime().maxMemory() / 8;
        return new HttpBounds(
                (int) Math.min(Incoming.MAX_BYTES, share),
                share,
                16 << 10,
                2_048,
                1_536,
                Duration.ofSeconds(10),
                Duration.ofSeconds(60),
                Duration.ofSeconds(30),
                Duration.ofSeconds(2));
    }
}
