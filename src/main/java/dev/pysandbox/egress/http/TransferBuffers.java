package dev.pysandbox.egress.http;

import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;

/** A bounded pool of large buffers for connections that transfer much. */
final class TransferBuffers {
    private static final int SIZE = 64 * 1024;
    static final int MAX = 64;
    private static final Semaphore FREE = new Semaphore(MAX);
    private static final ConcurrentLinkedQueue<ByteBuffer> UNUSED = new ConcurrentLinkedQueue<>();

    private TransferBuffers() {}

    /** Borrows a buffer, if one is free; the caller must return it with {@link #release}. */
    static Optional<ByteBuffer> borrow() {
        if (!FREE.tryAcquire()) {
            return Optional.empty();
        }
        Optional<ByteBuffer> buffer = Optional.empty();
        try {
            // Direct buffers: the JDK would copy heap buffers once more.
            buffer = Optional.of(Optional.ofNullable(UNUSED.poll()).orElseGet(() -> ByteBuffer.allocateDirect(SIZE)));
        } finally {
            if (buffer.isEmpty()) {
                FREE.release();
            }
        }
        return buffer;
    }

    static void release(ByteBuffer buffer) {
        UNUSED.add(buffer);
        FREE.release();
    }
}
