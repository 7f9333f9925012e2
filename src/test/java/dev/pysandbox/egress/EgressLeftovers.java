package dev.pysandbox.egress;

import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.stream.Stream;

/** Counts the proxy's threads and the sockets of the process, to compare them with an earlier count. */
record EgressLeftovers(long threads, long sockets) {
    private static final long TIMEOUT_NANOS = 20_000_000_000L;

    static {
        // The JDK opens one socket with the first channel and keeps it open.
        try {
            SocketChannel.open(StandardProtocolFamily.UNIX).close();
            SocketChannel.open().close();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /**
     * Counts the proxy's threads and all sockets, but not files and other threads, which the JDK opens and starts at
     * any time.
     */
    static EgressLeftovers now() {
        long threads = Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("egress-"))
                .count();
        return new EgressLeftovers(threads, socketCount());
    }

    private static long socketCount() {
        try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
            return descriptors
                    .map(EgressLeftovers::destination)
                    .filter(name -> name.startsWith("socket:"))
                    .count();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static String destination(Path descriptor) {
        try {
            return Objects.toString(Files.readSymbolicLink(descriptor));
        } catch (IOException e) {
            return "gone";
        }
    }

    /** Waits until nothing is left, because other threads notice a close with a delay. */
    void assertNone() throws InterruptedException {
        long end = System.nanoTime() + TIMEOUT_NANOS;
        EgressLeftovers now = now();
        while (now.exceeds(this) && System.nanoTime() < end) {
            Thread.sleep(20);
            now = now();
        }
        assertFalse(now.exceeds(this), now + " after " + this);
    }

    /** Returns whether this count is higher. Fewer are fine, because the JDK may free those of earlier tests. */
    private boolean exceeds(EgressLeftovers other) {
        return threads > other.threads || sockets > other.sockets;
    }
}
