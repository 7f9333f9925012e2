package dev.pysandbox.mcp;

import dev.pysandbox.mcp.jsonrpc.Outgoing;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Sends the progress notifications of one call: at most a few each second, and a repeated one while a step takes long.
 *
 * <p>The owner must call {@link #tick} several times a second.
 */
final class Progress {
    static final Duration SPACING = Duration.ofMillis(250);
    static final Duration HEARTBEAT = Duration.ofSeconds(5);

    private final Object token;
    private final LongSupplier nanoTime;
    private final Consumer<Outgoing.Notification> send;
    private final long start;
    private long lastSent;
    private int count;
    private String message = "running";
    private boolean unsent;
    private boolean closed;

    Progress(Object token, LongSupplier nanoTime, Consumer<Outgoing.Notification> send) {
        this.token = token;
        this.nanoTime = nanoTime;
        this.send = send;
        this.start = nanoTime.getAsLong();
        this.lastSent = start - SPACING.toNanos();
    }

    synchronized void report(String message) {
        this.message = message;
        unsent = true;
        tick();
    }

    synchronized void tick() {
        long now = nanoTime.getAsLong();
        long quiet = now - lastSent;
        if (closed) {
            return;
        }
        if (unsent && quiet >= SPACING.toNanos()) {
            send(now, message);
        } else if (quiet >= HEARTBEAT.toNanos()) {
            send(now, message + ", " + Duration.ofNanos(now - start).toSeconds() + " s");
        }
    }

    /** Stops all notifications; called before the response is sent. */
    synchronized void close() {
        closed = true;
    }

    private void send(long now, String text) {
        lastSent = now;
        unsent = false;
        count++;
        send.accept(Outgoing.Notification.progress(token, count, text));
    }
}
