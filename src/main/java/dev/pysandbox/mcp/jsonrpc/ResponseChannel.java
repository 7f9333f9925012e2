package dev.pysandbox.mcp.jsonrpc;

/** Carries what the server sends on behalf of one message. Exactly one of respond and close is called, once, at the end. */
public interface ResponseChannel {
    void notify(Outgoing.Notification notification);

    /** Sends the response, a {@link Outgoing.Result} or a {@link Outgoing.Failure}. */
    void respond(Outgoing response);

    /** The message gets no response. */
    void close();
}
