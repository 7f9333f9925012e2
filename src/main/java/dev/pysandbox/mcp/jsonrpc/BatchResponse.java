package dev.pysandbox.mcp.jsonrpc;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Collects the responses to the members of a JSON-RPC batch and passes them on after the last. */
public final class BatchResponse implements ResponseChannel {
    private final Consumer<Outgoing.Notification> notifications;
    private final Consumer<List<Outgoing>> whenComplete;
    private final List<Outgoing> responses = new ArrayList<>();
    private int missing;

    /** @param whenComplete gets the responses; none if all members were notifications */
    public BatchResponse(
            int members, Consumer<Outgoing.Notification> notifications, Consumer<List<Outgoing>> whenComplete) {
        this.missing = members;
        this.notifications = notifications;
        this.whenComplete = whenComplete;
    }

    @Override
    public void notify(Outgoing.Notification notification) {
        notifications.accept(notification);
    }

    @Override
    public synchronized void respond(Outgoing response) {
        responses.add(response);
        close();
    }

    @Override
    public synchronized void close() {
        missing--;
        if (missing == 0) {
            whenComplete.accept(List.copyOf(responses));
        }
    }
}
