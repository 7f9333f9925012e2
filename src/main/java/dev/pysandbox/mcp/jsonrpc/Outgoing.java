package dev.pysandbox.mcp.jsonrpc;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A message that the server sends; Jackson writes its components. */
@JsonPropertyOrder("jsonrpc")
public sealed interface Outgoing {
    @JsonProperty
    default String jsonrpc() {
        return "2.0";
    }

    /** The result of a request. */
    record Result(Object id, Object result) implements Outgoing {}

    /** The error of a request; the id is null if it could not be read, as JSON-RPC requires. */
    record Failure(@Nullable Object id, RpcError error) implements Outgoing {
        public Failure(Optional<Object> id, RpcError error) {
            this(id.orElse(null), error);
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
    }
}
