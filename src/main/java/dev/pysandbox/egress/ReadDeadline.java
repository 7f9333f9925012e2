package dev.pysandbox.egress;

import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Shuts down the input of a channel at a deadline, so that its reader sees the end of the stream. */
final class ReadDeadline {
    private final CompletableFuture<Boolean> expired;

    private ReadDeadline(CompletableFuture<Boolean> expired) {
        this.expired = expired;
    }

    static ReadDeadline start(SocketChannel channel, Duration time) {
        // The JDK's shared timer, which removes tasks that are completed early.
        CompletableFuture<Boolean> expired =
                new CompletableFuture<Boolean>().completeOnTimeout(true, time.toMillis(), TimeUnit.MILLISECONDS);
        var unused = expired.thenAccept(late -> {
            if (late) {
                endInput(channel);
            }
        });
        return new ReadDeadline(expired);
    }

    private static void endInput(SocketChannel channel) {
        try {
            channel.shutdownInput();
        } catch (IOException e) {
            // It is already closed.
        }
    }

    void cancel() {
        expired.complete(false);
    }

    boolean isExpired() {
        return expired.getNow(false);
    }
}
