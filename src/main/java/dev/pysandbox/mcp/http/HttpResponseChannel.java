package dev.pysandbox.mcp.http;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import dev.pysandbox.mcp.jsonrpc.MessageWriter;
import dev.pysandbox.mcp.jsonrpc.Outgoing;
import dev.pysandbox.mcp.jsonrpc.ResponseChannel;
import dev.pysandbox.mcp.jsonrpc.RpcError;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;

/**
 * The response to one POST: JSON, or a stream of server-sent events once there is a notification or the response takes
 * long.
 */
final class HttpResponseChannel implements ResponseChannel {
    static final String SESSION_ID = "Mcp-Session-Id";

    private static final int OK = 200;
    private static final int ACCEPTED = 202;
    private static final int MOST_WAITING = 1_000;

    private final HttpExchange exchange;
    private final MessageWriter writer;
    private final SerialTasks tasks;
    /** Only used by tasks. */
    private final EventStream stream;

    private final boolean takesStream;
    private final ToIntFunction<RpcError> statusOfError;
    private final Runnable whenGone;
    private final Consumer<HttpResponseChannel> whenEnded;

    /** Only used by tasks. */
    private boolean over;

    private volatile boolean isRequest;
    private volatile long lastUse = System.nanoTime();

    /**
     * Creates a response.
     *
     * @param statusOfError the status of a response that is an error
     * @param whenGone called once if the client closes the connection before the end
     * @param whenEnded called once at the end
     */
    HttpResponseChannel(
            HttpExchange exchange,
            MessageWriter writer,
            SerialTasks tasks,
            ToIntFunction<RpcError> statusOfError,
            Runnable whenGone,
            Consumer<HttpResponseChannel> whenEnded) {
        this.exchange = exchange;
        this.writer = writer;
        this.tasks = tasks;
        this.stream = new EventStream(exchange);
        this.takesStream = takes(exchange.getRequestHeaders(), "text/event-stream");
        this.statusOfError = statusOfError;
        this.whenGone = whenGone;
        this.whenEnded = whenEnded;
    }

    private static boolean takes(Headers headers, String type) {
        return headers.getOrDefault("Accept", List.of()).stream().anyMatch(value -> value.contains(type));
    }

    /** Says that a response follows; without one, the client gets 202. */
    void expectResponse() {
        isRequest = true;
    }

    @Override
    public void notify(Outgoing.Notification notification) {
        if (takesStream && tasks.waiting() < MOST_WAITING) {
            tasks.add(() -> writeEvent(writer.text(notification)));
        }
    }

    @Override
    public void respond(Outgoing response) {
        if (response instanceof Outgoing.Failure failure) {
            exchange.getResponseHeaders().remove(SESSION_ID);
            tasks.add(() -> end(() -> writer.text(response), statusOfError.applyAsInt(failure.error())));
        } else {
            tasks.add(() -> end(() -> writer.text(response), OK));
        }
    }

    /** Sends the responses to a batch, if it has any. */
    void respond(List<Outgoing> batch) {
        tasks.add(batch.isEmpty() ? this::endWithoutResponse : () -> end(() -> writer.text(batch), OK));
    }

    @Override
    public void close() {
        tasks.add(this::endWithoutResponse);
    }

    /** Sends a comment if the client has got nothing for this long. Called by a clock. */
    void beat(Duration quiet) {
        if (isRequest && takesStream && System.nanoTime() - lastUse >= quiet.toNanos() && tasks.waiting() == 0) {
            lastUse = System.nanoTime();
            tasks.add(() -> write(stream::sendComment));
        }
    }

    private void writeEvent(String json) {
        write(() -> stream.send("message", json));
    }

    private void write(EventStream.Write write) {
        if (over) {
            return;
        }
        try {
            write.run();
            lastUse = System.nanoTime();
        } catch (IOException e) {
            finish();
            whenGone.run();
        }
    }

    private void end(Supplier<String> json, int status) {
        try {
            if (stream.hasBegun()) {
                writeEvent(json.get());
            } else if (!over) {
                HttpMessages.send(exchange, status, "application/json", json.get());
            }
        } catch (IOException e) {
            // The client is gone, and there is nothing left to cancel.
        } finally {
            finish();
            whenEnded.accept(this);
        }
    }

    private void endWithoutResponse() {
        if (!stream.hasBegun() && !over) {
            try {
                exchange.sendResponseHeaders(ACCEPTED, -1);
            } catch (IOException e) {
                // The client is gone.
            }
        }
        finish();
        whenEnded.accept(this);
    }

    private void finish() {
        over = true;
        exchange.close();
    }
}
