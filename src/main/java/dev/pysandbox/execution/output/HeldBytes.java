package dev.pysandbox.execution.output;

import java.util.concurrent.atomic.AtomicLong;

/** Limits the bytes of scripts' files that the server holds in memory for all calls together. */
public final class HeldBytes {
    /** The rest of the heap is for text, images while they are decoded, and frames that arrive. */
    private static final int SHARE_OF_HEAP = 4;

    private final long most;
    private final AtomicLong taken = new AtomicLong();

    HeldBytes(long most) {
        this.most = most;
    }

    public static HeldBytes ofHeap() {
        return new HeldBytes(Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP);
    }

    /** Reserves this number of bytes if the limit allows it; {@link #release} frees them. */
    boolean take(long bytes) {
        long before = taken.getAndUpdate(now -> now + bytes <= most ? now + bytes : now);
        return before + bytes <= most;
    }

    public long taken() {
        return taken.get();
    }

    void release(long bytes) {
        taken.addAndGet(-bytes);
    }
}
