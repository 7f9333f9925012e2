package dev.pysandbox.cli.terminal;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicBoolean;

/** A line on a terminal that says that a command starts, because that takes a second. The first output erases it. */
final class StartLine {
    private static final String CLEAR_LINE = "\r\033[K";

    private final PrintStream err;
    private final AtomicBoolean shown = new AtomicBoolean();

    StartLine(PrintStream err) {
        this.err = err;
    }

    void show() {
        err.print("starting ...");
        err.flush();
        shown.set(true);
    }

    /** Returns a stream that erases the line before it writes. */
    PrintStream erasedBy(PrintStream stream) {
        return new PrintStream(new Eraser(stream), true, StandardCharsets.UTF_8);
    }

    private final class Eraser extends FilterOutputStream {
        Eraser(OutputStream out) {
            super(out);
        }

        @Override
        public void write(int b) throws IOException {
            erase();
            out.write(b);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            erase();
            out.write(bytes, offset, length);
        }

        private void erase() {
            if (shown.compareAndSet(true, false)) {
                err.print(CLEAR_LINE);
                err.flush();
            }
        }
    }
}
