package dev.pysandbox.egress.http;

import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;

/** A bounded pool of large buffers for connections that carry much; the others, and all beyond the bound, do without. */
final class TransferBuffers {
    private static final int SIZE = 64 * 1024;
    static final int MOST = 64;
    private static final Semaphore FREE = new Semaphore(MOST);
    private static final ConcurrentLinkedQueue<ByteBuffer> UNUSED = new ConcurrentLinkedQueue<>();

    private TransferBuffers() {}

    /** Returns a buffer, if one is free; it belongs to the caller until {@link #giveBack}. */
    static Optional<ByteBuffer> borrow() {
        if (!FREE.tryAcquire()) {
            return Optional.empty();
        }
        Optional<ByteBuffer> buffer = Optional.empty();
        try {
            // Outside of the heap, where the kernel copies to and from without a further copy.
            buffer = Optional.of(Optional.ofNullable(UNUSED.poll()).orElseGet(() -> ByteBuffer.allocateDirect(SIZE)));
        } finally {
            if (buffer.isEmpty()) {
                FREE.release();
            }
        }
        return buffer;
    }

    static void giveBack(ByteBuffer buffer) {
        UNUSED.add(buffer);
        FREE.release();
    }
}
