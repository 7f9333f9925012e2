package dev.pysandbox.index;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Uses a simulated clock, which only the stream and the test advance. */
final class StallGuardTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private final byte[] buffer = new byte[4096];
    private long now = Long.MAX_VALUE - 5; // nanoTime() may overflow

    private void pass(int seconds) {
        now += Duration.ofSeconds(seconds).toNanos();
    }

    /** Guards a stream of pieces of that many bytes, each of which takes that many seconds. */
    private StallGuard guarding(int pieces, int bytes, int seconds) {
        return new StallGuard(
                new InputStream() {
                    private int left = pieces;

                    @Override
                    public int read() {
                        throw new UnsupportedOperationException();
                    }

                    @Override
                    public int read(byte[] target, int offset, int length) {
                        pass(seconds);
                        return left-- > 0 ? Math.min(bytes, length) : -1;
                    }
                },
                TIMEOUT,
                () -> now);
    }

    @Test
    void endsATrickle() throws IOException {
        StallGuard guard = guarding(100, 1, 10);
        assertEquals(1, guard.read(buffer));
        assertEquals(1, guard.read(buffer));
        IndexProblem problem = assertThrows(IndexProblem.class, () -> guard.read(buffer));
        assertEquals("it sent less than 1024 bytes in 30 seconds", problem.getMessage());
    }

    @Test
    void endsWhatIsReadByteByByteToo() throws IOException {
        StallGuard guard = guarding(100, 1, 20);
        assertEquals(0, guard.read());
        assertThrows(IndexProblem.class, guard::read);
    }

    @Test
    void allowsASlowStream() throws IOException {
        StallGuard guard = guarding(100, 512, 14);
        for (int i = 0; i < 100; i++) {
            assertEquals(512, guard.read(buffer));
        }
        assertEquals(-1, guard.read(buffer));
    }

    @Test
    void allowsASlowReader() throws IOException {
        StallGuard guard = guarding(5, 1, 1);
        for (int i = 0; i < 5; i++) {
            assertEquals(1, guard.read(buffer));
            pass(1000);
        }
        assertEquals(-1, guard.read(buffer));
    }
}
