package dev.pysandbox.egress;

import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.stream.Stream;

/** Compares the proxy's threads and the sockets of the process with those of an earlier moment. */
record EgressLeftovers(long threads, long sockets) {
    private static final long PATIENCE_NANOS = 20_000_000_000L;

    static {
        // The JDK keeps one socket of its own from the first channel on.
        try {
            SocketChannel.open(StandardProtocolFamily.UNIX).close();
            SocketChannel.open().close();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** Only the proxy's own threads and all sockets count: the JDK opens files and starts threads when it likes. */
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

    /** Closing is heard by other threads in their own time, so this waits. */
    void assertNone() throws InterruptedException {
        long end = System.nanoTime() + PATIENCE_NANOS;
        EgressLeftovers now = now();
        while (now.exceeds(this) && System.nanoTime() < end) {
            Thread.sleep(20);
            now = now();
        }
        assertFalse(now.exceeds(this), now + " after " + this);
    }

    /** Fewer is fine: what tests before this one left to the JDK may go meanwhile. */
    private boolean exceeds(EgressLeftovers other) {
        return threads > other.threads || sockets > other.sockets;
    }
}
