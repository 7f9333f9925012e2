package dev.pysandbox.mcp.http;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/** Sends whole HTTP responses. */
final class HttpMessages {
    private HttpMessages() {}

    static void send(HttpExchange exchange, int status, String type, String text) throws IOException {
        begin(exchange, status, type, text);
        exchange.close();
    }

    /** Sends a response, but leaves the exchange open. */
    static void begin(HttpExchange exchange, int status, String type, String text) throws IOException {
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", type);
        boolean head = exchange.getRequestMethod().equals("HEAD");
        exchange.sendResponseHeaders(status, head || body.length == 0 ? -1 : body.length);
        if (!head) {
            OutputStream out = exchange.getResponseBody();
            out.write(body);
            out.flush();
        }
    }
}
