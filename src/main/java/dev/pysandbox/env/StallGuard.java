package dev.pysandbox.env;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;

/** Closes a stream from which nothing has come for a while, so that its reader does not wait forever. */
final class StallGuard implements Closeable {
    private final InputStream guarded;
    private final Duration patience;
    private final Thread thread;
    private volatile long lastProgress = System.nanoTime();
    private volatile boolean stalled;

    StallGuard(InputStream guarded, Duration patience) {
        this.guarded = guarded;
        this.patience = patience;
        this.thread = new Thread(this::watch, "stall-guard");
        thread.setDaemon(true);
        thread.start();
    }

    /** Reads from the stream; the guard's closing of it shows as an error, never as its end. */
    int read(byte[] buffer) throws IOException {
        try {
            int count = guarded.read(buffer);
            lastProgress = System.nanoTime();
            if (count >= 0 || !stalled) {
                return count;
            }
        } catch (IOException e) {
            if (!stalled) {
                throw e;
            }
        }
        throw new IOException("nothing came for " + patience.toSeconds() + " seconds");
    }

    @Override
    public void close() {
        thread.interrupt();
    }

    private void watch() {
        try {
            for (long left = patience.toNanos();
                    left > 0;
                    left = lastProgress + patience.toNanos() - System.nanoTime()) {
                Thread.sleep(Math.max(1, Duration.ofNanos(left).toMillis()));
            }
            stalled = true;
            guarded.close();
        } catch (InterruptedException | IOException e) {
            // The reading ended first.
        }
    }
}
