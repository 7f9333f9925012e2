package dev.pysandbox.egress;

import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Ends the input of a channel when its time is up, so that whoever reads from it meets the end of the stream. */
final class EgressDeadline {
    private final CompletableFuture<Boolean> expired;

    private EgressDeadline(CompletableFuture<Boolean> expired) {
        this.expired = expired;
    }

    static EgressDeadline start(SocketChannel channel, Duration time) {
        // The JDK's own timer, one for all; it forgets what was completed before its time.
        CompletableFuture<Boolean> expired =
                new CompletableFuture<Boolean>().completeOnTimeout(true, time.toMillis(), TimeUnit.MILLISECONDS);
        var unused = expired.thenAccept(late -> {
            if (late) {
                endInput(channel);
            }
        });
        return new EgressDeadline(expired);
    }

    private static void endInput(SocketChannel channel) {
        try {
            channel.shutdownInput();
        } catch (IOException e) {
            // It is closed already, which serves as well.
        }
    }

    void cancel() {
        expired.complete(false);
    }

    boolean isExpired() {
        return expired.getNow(false);
    }
}
