package dev.pysandbox.index;

import dev.pysandbox.support.Threads;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Reads from a stream and closes it if it is too slow, so that a reader does not wait forever.
 *
 * <p>Each kibibyte must arrive within {@code timeout}. Only the time spent in reading counts, so the reader itself may
 * be slow.
 */
final class StallGuard extends FilterInputStream {
    private static final int LEAST_BYTES = 1 << 10;
    private static final long FOREVER = Long.MAX_VALUE / 2;

    private final Duration timeout;
    private final LongSupplier clock;
    private final Thread thread;
    private long left;
    private int bytes;
    private volatile long deadline;
    private volatile boolean stalled;

    StallGuard(InputStream guarded, Duration timeout) {
        this(guarded, timeout, System::nanoTime);
        thread.start();
    }

    /** A guard that checks the time only after each read. */
    StallGuard(InputStream guarded, Duration timeout, LongSupplier clock) {
        super(guarded);
        this.timeout = timeout;
        this.clock = clock;
        this.left = timeout.toNanos();
        this.deadline = clock.getAsLong() + FOREVER;
        this.thread = Threads.daemon("stall-guard", this::watch);
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    /** Reads from the stream; a stall causes an {@link IndexProblem}, never the end of the stream. */
    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
        long start = clock.getAsLong();
        deadline = start + left;
        try {
            int count = super.read(buffer, offset, length);
            long now = clock.getAsLong();
            deadline = now + FOREVER;
            if (!stalled && (count < 0 || isEnough(count, now - start))) {
                return count;
            }
        } catch (IOException e) {
            if (!stalled) {
                throw e;
            }
        }
        throw new IndexProblem("it sent less than " + LEAST_BYTES + " bytes in " + timeout.toSeconds() + " seconds");
    }

    private boolean isEnough(int count, long nanos) {
        bytes += count;
        left -= nanos;
        if (bytes >= LEAST_BYTES) {
            bytes = 0;
            left = timeout.toNanos();
        }
        return left > 0;
    }

    private void watch() {
        try {
            for (long rest = timeout.toNanos(); rest > 0; rest = deadline - clock.getAsLong()) {
                Thread.sleep(1 + Math.min(rest, timeout.toNanos()) / 1_000_000);
            }
            stalled = true;
            super.close();
        } catch (InterruptedException | IOException e) {
            // The read ended first.
        }
    }

    @Override
    public void close() throws IOException {
        thread.interrupt();
        super.close();
    }
}
