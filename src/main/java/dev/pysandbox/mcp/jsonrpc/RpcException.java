package dev.pysandbox.mcp.jsonrpc;

/** A request failed; the response is this error. */
public final class RpcException extends Exception {
    private final transient RpcError error;

    public RpcException(RpcError error) {
        super(error.message());
        this.error = error;
    }

    public RpcError error() {
        return error;
    }
}
