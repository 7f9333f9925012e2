package dev.pysandbox.index;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** Reads from a stream and fails after a number of bytes. */
final class BoundedInput extends FilterInputStream {
    private long left;

    BoundedInput(InputStream in, long limit) {
        super(in);
        this.left = limit;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
        int count = super.read(buffer, offset, length);
        left -= Math.max(0, count);
        if (left < 0) {
            throw new IndexProblem("the page is too long");
        }
        return count;
    }
}
