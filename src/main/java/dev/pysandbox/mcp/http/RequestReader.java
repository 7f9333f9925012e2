package dev.pysandbox.mcp.http;

import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.sun.net.httpserver.HttpExchange;
import dev.pysandbox.mcp.jsonrpc.Jackson2Mapper;
import dev.pysandbox.mcp.jsonrpc.RpcError;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/** Reads the JSON of requests; all that are pending share one bound. */
final class RequestReader {
    /** The most messages of a batch: each may start a thread. */
    private static final int MOST_MEMBERS = 100;

    private final Jackson2Mapper json;
    private final HttpBounds bounds;
    private final HttpThreads threads;
    private final AtomicLong heldBytes = new AtomicLong();

    RequestReader(Jackson2Mapper json, HttpBounds bounds, HttpThreads threads) {
        this.json = json;
        this.bounds = bounds;
        this.threads = threads;
    }

    /** What is done with a request; it closes the body when the response has been sent. */
    interface Handler {
        void handle(Object json, RequestBody body) throws IOException, Refusal;
    }

    /** Reads a request and passes it on; closes its body if that fails. */
    void read(HttpExchange exchange, Handler handler) throws IOException, Refusal {
        String type = AccessRules.single(exchange.getRequestHeaders(), "Content-Type")
                .orElse("")
                .toLowerCase(Locale.ROOT);
        // Web pages can send other types to any address.
        if (!type.equals("application/json") && !type.startsWith("application/json;")) {
            throw new Refusal(Refusal.UNSUPPORTED_TYPE, "The Content-Type must be application/json.");
        }
        RequestBody body = new RequestBody(exchange, bounds, threads, heldBytes);
        try {
            Object message = parse(body.read(() -> timeOut(exchange)));
            if (message instanceof List<?> members && members.size() > MOST_MEMBERS) {
                throw new Refusal(Refusal.BAD_REQUEST, "A batch may have at most " + MOST_MEMBERS + " messages.");
            }
            handler.handle(message, body);
        } catch (IOException | Refusal | RuntimeException | Error e) {
            body.close();
            throw e;
        }
    }

    private void timeOut(HttpExchange exchange) {
        Refusals.send(exchange, json, new Refusal(Refusal.TIMEOUT, "The body did not arrive in time."));
    }

    private Object parse(byte[] bytes) throws Refusal {
        try {
            return json.readValue(bytes, Object.class);
        } catch (StreamConstraintsException e) {
            throw new Refusal(
                    Refusal.BAD_REQUEST,
                    RpcError.parseError("The body has too many values or is nested too deeply."),
                    Map.of());
        } catch (IOException e) {
            throw new Refusal(
                    Refusal.BAD_REQUEST, RpcError.parseError("The body is not valid JSON in UTF-8."), Map.of());
        }
    }
}
