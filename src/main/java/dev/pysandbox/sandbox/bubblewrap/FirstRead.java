package dev.pysandbox.sandbox.bubblewrap;

import dev.pysandbox.sandbox.local.LocalProcess;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** A stream that runs an action once, after the first read has returned bytes or the end of the stream. */
final class FirstRead extends FilterInputStream {
    private final LocalProcess.Step action;
    private boolean done;

    FirstRead(InputStream in, LocalProcess.Step action) {
        super(in);
        this.action = action;
    }

    @Override
    public int read() throws IOException {
        int value = in.read();
        act();
        return value;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        int count = in.read(bytes, offset, length);
        act();
        return count;
    }

    private void act() throws IOException {
        if (!done) {
            done = true;
            action.run();
        }
    }
}
