package dev.pysandbox.mcp.http;

import dev.pysandbox.mcp.jsonrpc.RpcError;
import java.util.Map;

/** A request is refused before it reaches the MCP server. */
final class Refusal extends Exception {
    static final int BAD_REQUEST = 400;
    static final int FORBIDDEN = 403;
    static final int NOT_FOUND = 404;
    static final int METHOD_NOT_ALLOWED = 405;
    static final int TIMEOUT = 408;
    static final int TOO_LARGE = 413;
    static final int UNSUPPORTED_TYPE = 415;
    static final int TOO_MANY = 429;
    static final int HEADER_TOO_LARGE = 431;
    static final int INTERNAL = 500;
    static final int UNAVAILABLE = 503;

    private static final int RETRY_SECONDS = 5;

    private final int status;
    private final transient RpcError error;
    private final transient Map<String, String> headers;

    Refusal(int status, RpcError error, Map<String, String> headers) {
        super(error.message());
        this.status = status;
        this.error = error;
        this.headers = Map.copyOf(headers);
    }

    Refusal(int status, String message) {
        this(status, RpcError.invalidRequest(message), Map.of());
    }

    /** Asks the client to try again later. */
    static Refusal later(int status, String message, int seconds) {
        RpcError error = new RpcError(
                RpcError.SERVER_BUSY,
                message + "; try again in " + seconds + " s",
                Map.of("retryAfterSeconds", seconds));
        return new Refusal(status, error, Map.of("Retry-After", Integer.toString(seconds)));
    }

    static Refusal tooMany() {
        return later(TOO_MANY, "Too many requests are waiting", RETRY_SECONDS);
    }

    int status() {
        return status;
    }

    RpcError error() {
        return error;
    }

    Map<String, String> headers() {
        return headers;
    }
}
