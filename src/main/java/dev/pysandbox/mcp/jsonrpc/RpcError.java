package dev.pysandbox.mcp.jsonrpc;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import java.util.Map;

/** The error of a JSON-RPC response: a code, a message and optional data. */
public record RpcError(
        int code,
        String message,
        @JsonInclude(Include.NON_EMPTY) Map<String, Object> data) {
    static final int PARSE_ERROR = -32700;
    static final int INVALID_REQUEST = -32600;
    public static final int METHOD_NOT_FOUND = -32601;
    public static final int INVALID_PARAMS = -32602;
    public static final int INTERNAL_ERROR = -32603;
    public static final int SERVER_BUSY = -32000;
    public static final int RESOURCE_NOT_FOUND = -32002;
    public static final int HEADER_MISMATCH = -32020;
    public static final int UNSUPPORTED_PROTOCOL_VERSION = -32022;

    public RpcError {
        data = Map.copyOf(data);
    }

    public static RpcError parseError(String message) {
        return new RpcError(PARSE_ERROR, message, Map.of());
    }

    public static RpcError invalidRequest(String message) {
        return new RpcError(INVALID_REQUEST, message, Map.of());
    }

    public static RpcError methodNotFound(String method) {
        return new RpcError(METHOD_NOT_FOUND, "Method not found: " + method, Map.of());
    }

    public static RpcError invalidParams(String message) {
        return new RpcError(INVALID_PARAMS, message, Map.of());
    }

    /** For an HTTP header that differs from the body. */
    public static RpcError headerMismatch(String message) {
        return new RpcError(HEADER_MISMATCH, message, Map.of());
    }

    /** For a bug in the server: the log has the details, the client does not get them. */
    public static RpcError internal() {
        return new RpcError(INTERNAL_ERROR, "Internal error; see the server's log on stderr.", Map.of());
    }
}
