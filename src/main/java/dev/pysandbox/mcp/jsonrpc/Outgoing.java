package dev.pysandbox.mcp.jsonrpc;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A message that the server sends. */
public sealed interface Outgoing {
    Map<String, Object> toJson();

    /** The result of a request. */
    record Result(Object id, Object result) implements Outgoing {
        @Override
        public Map<String, Object> toJson() {
            return response(id, "result", result);
        }
    }

    /** The error of a request; without an id if the id could not be read. */
    record Failure(Optional<Object> id, RpcError error) implements Outgoing {
        @Override
        public Map<String, Object> toJson() {
            return response(id.orElse(null), "error", error.toJson());
        }
    }

    /** A message that expects no response. */
    record Notification(String method, Map<String, Object> params) implements Outgoing {
        /** Says how far the request with this progress token is. */
        public static Notification progress(Object token, int progress, String message) {
            Map<String, Object> params = new LinkedHashMap<>();
            params.put("progressToken", token);
            params.put("progress", progress);
            params.put("message", message);
            return new Notification("notifications/progress", params);
        }

        /** A log message for the client. */
        public static Notification log(String level, String logger, String data) {
            Map<String, Object> params = new LinkedHashMap<>();
            params.put("level", level);
            params.put("logger", logger);
            params.put("data", data);
            return new Notification("notifications/message", params);
        }

        @Override
        public Map<String, Object> toJson() {
            Map<String, Object> message = new LinkedHashMap<>();
            message.put("jsonrpc", "2.0");
            message.put("method", method);
            message.put("params", params);
            return message;
        }
    }

    @SuppressWarnings("NullAway") // JSON-RPC writes an id that could not be read as null
    private static Map<String, Object> response(@Nullable Object id, String member, Object value) {
        Map<String, Object> message = new LinkedHashMap<>();
        message.put("jsonrpc", "2.0");
        message.put("id", id);
        message.put(member, value);
        return message;
    }
}
