package dev.pysandbox.mcp;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.pysandbox.mcp.jsonrpc.Incoming;
import dev.pysandbox.mcp.jsonrpc.MessageWriter;
import dev.pysandbox.mcp.jsonrpc.Outgoing;
import dev.pysandbox.mcp.jsonrpc.ResponseChannel;
import dev.pysandbox.mcp.tools.ToolText;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * A trial call whose response is discarded. A first call takes ten times as long as the next, because of the classes it
 * loads.
 */
public final class PreloadCall {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final String MESSAGE =
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"" + ToolText.EXECUTE
                    + "\",\"arguments\":{\"script\":\"print()\"}}}";

    private PreloadCall() {}

    /** Runs a small script and waits for the response. */
    public static void run(McpServer server) throws InterruptedException {
        run(server, MESSAGE);
    }

    /** Handles a message in a separate session and waits for the response. */
    static void run(McpServer server, String message) throws InterruptedException {
        ClientSession session = server.openSession(Principal.LOCAL);
        MessageWriter writer = new MessageWriter(server.json());
        CountDownLatch answered = new CountDownLatch(1);
        ResponseChannel discarding = new ResponseChannel() {
            @Override
            public void notify(Outgoing.Notification notification) {}

            @Override
            public void respond(Outgoing response) {
                String ignored = writer.text(response);
                answered.countDown();
            }

            @Override
            public void close() {
                answered.countDown();
            }
        };
        try {
            server.handle(session, Incoming.of(server.json().readValue(message, Object.class)), discarding);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(message, e);
        }
        boolean ignored = answered.await(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
        server.close(session);
    }
}
