package dev.pysandbox.mcp;

import dev.pysandbox.mcp.jsonrpc.Incoming;
import dev.pysandbox.mcp.jsonrpc.Incoming.Request;
import dev.pysandbox.mcp.jsonrpc.RpcError;
import dev.pysandbox.mcp.tools.LogLevel;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Checks the parameters of requests, because the SDK fails with internal errors on malformed ones. */
final class ParamsCheck {
    private final Set<String> tools;

    ParamsCheck(List<String> tools) {
        this.tools = Set.copyOf(tools);
    }

    Optional<RpcError> refuse(Request request) {
        Map<String, Object> params = request.params();
        if (!isAbsentOrObject(params.get("_meta"))) {
            return invalid("'_meta' must be an object.");
        }
        return switch (request.method()) {
            case "initialize" -> refuseInitialize(params);
            case KeptResources.READ ->
                params.get("uri") instanceof String ? Optional.empty() : invalid("'uri' must be a string.");
            case "tools/list", "resources/list", "resources/templates/list" -> refuseCursor(params.get("cursor"));
            case "tools/call" -> refuseCall(params);
            case "logging/setLevel" ->
                LogLevel.of(params.get("level")).isPresent()
                        ? Optional.empty()
                        : invalid("'level' must be one of debug, info, notice, warning, error, critical, alert,"
                                + " emergency.");
            case StatelessProtocol.LISTEN ->
                Incoming.object(params.get("notifications")).isPresent()
                        ? Optional.empty()
                        : invalid("'notifications' must be an object.");
            default -> Optional.empty();
        };
    }

    private static Optional<RpcError> refuseInitialize(Map<String, Object> params) {
        if (!(params.get("protocolVersion") instanceof String)) {
            return invalid("'protocolVersion' must be a string.");
        }
        for (String name : Set.of("capabilities", "clientInfo")) {
            if (!isAbsentOrObject(params.get(name))) {
                return invalid("'" + name + "' must be an object.");
            }
        }
        return Optional.empty();
    }

    private static Optional<RpcError> refuseCursor(@Nullable Object cursor) {
        // The list has one page; some clients request it with an empty cursor.
        return cursor == null || cursor.equals("") ? Optional.empty() : invalid("Unknown cursor.");
    }

    private Optional<RpcError> refuseCall(Map<String, Object> params) {
        if (!(params.get("name") instanceof String name)) {
            return invalid("'name' must be a string.");
        }
        if (!tools.contains(name)) {
            return invalid("Unknown tool: " + name);
        }
        return isAbsentOrObject(params.get("arguments")) ? Optional.empty() : invalid("'arguments' must be an object.");
    }

    private static boolean isAbsentOrObject(@Nullable Object value) {
        return value == null || Incoming.object(value).isPresent();
    }

    private static Optional<RpcError> invalid(String message) {
        return Optional.of(RpcError.invalidParams(message));
    }
}
