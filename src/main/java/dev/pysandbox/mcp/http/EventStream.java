package dev.pysandbox.mcp.http;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/** A response of server-sent events; begins with the first one. */
final class EventStream {
    private static final int OK = 200;

    private final HttpExchange exchange;
    private boolean begun;

    EventStream(HttpExchange exchange) {
        this.exchange = exchange;
    }

    boolean hasBegun() {
        return begun;
    }

    /** Writes to a stream. */
    interface Write {
        void run() throws IOException;
    }

    /** Sends an event; its data must be one line. */
    void send(String event, String data) throws IOException {
        write("event: " + event + "\ndata: " + data + "\n\n");
    }

    /** Sends what clients ignore: it fails if the client is gone. */
    void sendComment() throws IOException {
        write(": \n\n");
    }

    private void write(String text) throws IOException {
        if (!begun) {
            Headers headers = exchange.getResponseHeaders();
            headers.set("Content-Type", "text/event-stream");
            headers.set("Cache-Control", "no-cache");
            headers.set("X-Accel-Buffering", "no");
            exchange.sendResponseHeaders(OK, 0);
            begun = true;
        }
        OutputStream body = exchange.getResponseBody();
        body.write(text.getBytes(StandardCharsets.UTF_8));
        body.flush();
    }
}
