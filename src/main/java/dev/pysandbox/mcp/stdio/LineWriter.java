package dev.pysandbox.mcp.stdio;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/** Writes and flushes whole lines from many threads; ignores further lines once the stream is broken. */
final class LineWriter {
    private final OutputStream out;
    private final Runnable onBroken;
    private boolean broken;

    LineWriter(OutputStream out, Runnable onBroken) {
        this.out = out;
        this.onBroken = onBroken;
    }

    /** Writes a line; its text must not contain a line end. */
    void write(String line) {
        // Jackson's encoder refuses an unpaired surrogate, and the response would be lost.
        byte[] bytes = (line + "\n").getBytes(StandardCharsets.UTF_8);
        // An interrupt must end the script, not the writing of its response.
        boolean interrupted = Thread.interrupted();
        try {
            write(bytes);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private synchronized void write(byte[] bytes) {
        if (broken) {
            return;
        }
        try {
            out.write(bytes);
            out.flush();
        } catch (IOException e) {
            broken = true;
            onBroken.run();
        }
    }
}
