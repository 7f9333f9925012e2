package dev.pysandbox.mcp.jsonrpc;

import java.math.BigInteger;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A message from the client, classified by JSON-RPC 2.0. */
public sealed interface Incoming {
    /** The longest message that is accepted. */
    int MAX_BYTES = 64 << 20;

    /** Requires a response; {@code id} is a string or a whole number. */
    record Request(Object id, String method, Map<String, Object> params) implements Incoming {
        /** Returns the request's {@code _meta}, or an empty map. */
        public Map<String, Object> meta() {
            return object(params.get("_meta")).orElse(Map.of());
        }
    }

    /** Requires no response. */
    record Notification(String method, Map<String, Object> params) implements Incoming {}

    /** A response; ignored, because the server sends no requests. */
    record Response() implements Incoming {}

    /** Invalid; the response has the error, and the id if it could be read. */
    record Invalid(Optional<Object> id, RpcError error) implements Incoming {}

    /** Classifies a parsed line, or one member of a parsed batch. */
    static Incoming of(@Nullable Object json) {
        Optional<Map<String, Object>> object = object(json);
        if (object.isEmpty()) {
            return invalid(Optional.empty(), "A message must be a JSON object.");
        }
        return of(object.get());
    }

    private static Incoming of(Map<String, Object> message) {
        Optional<Object> id = Optional.ofNullable(message.get("id")).filter(Incoming::isId);
        if (!"2.0".equals(message.get("jsonrpc"))) {
            return invalid(id, "The member 'jsonrpc' must be \"2.0\".");
        }
        boolean answers = message.containsKey("result") || message.containsKey("error");
        if (answers && !message.containsKey("method")) {
            return new Response();
        }
        if (!(message.get("method") instanceof String method)) {
            return invalid(id, "The member 'method' must be a string.");
        }
        if (message.containsKey("id") && id.isEmpty()) {
            return invalid(id, "The member 'id' must be a string or a whole number.");
        }
        Object params = message.get("params");
        if (params != null && object(params).isEmpty()) {
            return id.isEmpty()
                    ? new Notification(method, Map.of())
                    : new Invalid(id, RpcError.invalidParams("The member 'params' must be an object."));
        }
        Map<String, Object> named = object(params).orElse(Map.of());
        return id.<Incoming>map(value -> new Request(value, method, named))
                .orElseGet(() -> new Notification(method, named));
    }

    /** Returns the value as a JSON object, if it is one. */
    static Optional<Map<String, Object>> object(@Nullable Object json) {
        return PlainJson.object(json);
    }

    /** Returns the {@code name} in the description of a client or server, if present. */
    static Optional<String> name(@Nullable Object info) {
        return object(info)
                .map(members -> members.get("name"))
                .filter(String.class::isInstance)
                .map(String.class::cast);
    }

    private static boolean isId(Object id) {
        return id instanceof String || id instanceof Integer || id instanceof Long || id instanceof BigInteger;
    }

    private static Invalid invalid(Optional<Object> id, String message) {
        return new Invalid(id, RpcError.invalidRequest(message));
    }
}
