package dev.pysandbox.egress.http;

import java.io.EOFException;
import java.io.IOException;
import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Reads from a connection: first lines, then bytes. */
public final class MessageSource {
    private static final int BUFFER_SIZE = 16 * 1024;

    private final ReadableByteChannel channel;
    private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER_SIZE).flip();

    public MessageSource(ReadableByteChannel channel) {
        this.channel = channel;
    }

    /**
     * Returns the next line without its end.
     *
     * @throws ProtocolException if it exceeds the limit, contains a control character or does not end in CR LF
     * @throws EOFException if the stream ends first
     */
    public String readLine(int limit) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = read(); c != '\r'; c = read()) {
            if ((c < ' ' && c != '\t') || c == 0x7f) {
                throw new ProtocolException("a control character or a bare line feed in the header");
            }
            if (line.length() == limit) {
                throw new ProtocolException("the header is too long");
            }
            line.append((char) c);
        }
        if (read() != '\n') {
            throw new ProtocolException("a bare carriage return in the header");
        }
        return line.toString();
    }

    /** Waits for the next byte and returns it without consuming it. */
    public int peek() throws IOException {
        requireBytes();
        return buffer.get(buffer.position()) & 0xff;
    }

    public byte[] readBytes(int count) throws IOException {
        byte[] bytes = new byte[count];
        for (int at = 0; at < count; ) {
            requireBytes();
            int length = Math.min(count - at, buffer.remaining());
            buffer.get(bytes, at, length);
            at += length;
        }
        return bytes;
    }

    /** Transfers exactly this number of bytes. */
    void copy(long count, WritableByteChannel to) throws IOException {
        if (transfer(count, to) < count) {
            throw ended();
        }
    }

    /** Transfers everything up to the end. */
    public void copyAll(WritableByteChannel to) throws IOException {
        transfer(Long.MAX_VALUE, to);
    }

    /** Returns the number of transferred bytes; uses a larger buffer once a read fills the normal one. */
    private long transfer(long most, WritableByteChannel to) throws IOException {
        long left = most - transferBuffered(most, to);
        Optional<ByteBuffer> large = Optional.empty();
        try {
            while (left > 0) {
                ByteBuffer piece = large.orElse(buffer);
                int count = channel.read(piece.clear().limit((int) Math.min(left, piece.capacity())));
                piece.flip();
                if (count < 0) {
                    break;
                }
                write(piece, to);
                left -= count;
                if (large.isEmpty() && count == BUFFER_SIZE) {
                    large = TransferBuffers.borrow();
                }
            }
        } finally {
            large.ifPresent(TransferBuffers::release);
        }
        return most - left;
    }

    private long transferBuffered(long most, WritableByteChannel to) throws IOException {
        int length = (int) Math.min(most, buffer.remaining());
        write(buffer.slice(buffer.position(), length), to);
        buffer.position(buffer.position() + length);
        return length;
    }

    /** Reads and discards bytes, up to the end or the limit. */
    public void discard(long limit) throws IOException {
        for (long left = limit; left > 0 && fill(); ) {
            left -= buffer.remaining();
            buffer.position(buffer.limit());
        }
    }

    public static void write(String text, WritableByteChannel to) throws IOException {
        write(ByteBuffer.wrap(text.getBytes(StandardCharsets.ISO_8859_1)), to);
    }

    public static void write(ByteBuffer bytes, WritableByteChannel to) throws IOException {
        while (bytes.hasRemaining()) {
            to.write(bytes);
        }
    }

    public int read() throws IOException {
        requireBytes();
        return buffer.get() & 0xff;
    }

    private void requireBytes() throws IOException {
        if (!fill()) {
            throw ended();
        }
    }

    private static EOFException ended() {
        return new EOFException("the connection was closed too early");
    }

    private boolean fill() throws IOException {
        if (buffer.hasRemaining()) {
            return true;
        }
        int count = channel.read(buffer.clear());
        buffer.flip();
        return count >= 0;
    }
}
