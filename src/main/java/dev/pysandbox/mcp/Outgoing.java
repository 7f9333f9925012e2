package dev.pysandbox.mcp;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The shapes of the messages that the server sends. */
final class Outgoing {
    private Outgoing() {}

    static Map<String, Object> result(Object id, Object result) {
        return answer(id, "result", result);
    }

    static Map<String, Object> error(Optional<Object> id, RpcError error) {
        return answer(id.orElse(null), "error", error.toJson());
    }

    static Map<String, Object> notification(String method, Map<String, Object> params) {
        Map<String, Object> message = new LinkedHashMap<>();
        message.put("jsonrpc", "2.0");
        message.put("method", method);
        message.put("params", params);
        return message;
    }

    @SuppressWarnings("NullAway") // JSON-RPC writes an id that could not be read as null
    private static Map<String, Object> answer(@Nullable Object id, String member, Object value) {
        Map<String, Object> message = new LinkedHashMap<>();
        message.put("jsonrpc", "2.0");
        message.put("id", id);
        message.put(member, value);
        return message;
    }
}
