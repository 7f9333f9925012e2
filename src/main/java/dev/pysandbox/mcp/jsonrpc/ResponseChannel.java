package dev.pysandbox.mcp.jsonrpc;

/** Sends what belongs to one message. Exactly one of respond and close is called, once, at the end. */
public interface ResponseChannel {
    void notify(Outgoing.Notification notification);

    /** Sends the response, a {@link Outgoing.Result} or a {@link Outgoing.Failure}. */
    void respond(Outgoing response);

    /** Ends the channel without a response. */
    void close();
}
