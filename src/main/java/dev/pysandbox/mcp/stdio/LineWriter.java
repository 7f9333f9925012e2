package dev.pysandbox.mcp.stdio;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/** Writes whole lines from many threads, each in one piece and flushed; falls silent once its stream is broken. */
public final class LineWriter {
    private final OutputStream out;
    private final Runnable onBroken;
    private boolean broken;

    public LineWriter(OutputStream out, Runnable onBroken) {
        this.out = out;
        this.onBroken = onBroken;
    }

    /** Writes a line; its text must not hold a line end. */
    public void write(String line) {
        // Not by Jackson's own encoder: it refuses half a surrogate pair, and the answer would be lost.
        byte[] bytes = (line + "\n").getBytes(StandardCharsets.UTF_8);
        // An interrupt is meant for the script, not for the answer that tells of it.
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
