package dev.pysandbox.mcp;

/** Says that a request is answered with an error. */
final class RpcException extends Exception {
    private final transient RpcError error;

    RpcException(RpcError error) {
        super(error.message());
        this.error = error;
    }

    RpcError error() {
        return error;
    }
}
