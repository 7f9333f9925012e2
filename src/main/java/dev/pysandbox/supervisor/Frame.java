package dev.pysandbox.supervisor;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** One message of the protocol: a type, a length, a payload. What comes out of a sandbox is never trusted. */
@SuppressWarnings("ArrayRecordComponent") // never compared
record Frame(char type, byte[] payload, int length) {
    static final int LONGEST_OUTPUT = 1 << 16;
    static final int LONGEST_NAME = 1 << 12;
    static final int LONGEST_FILE = 8 << 20;
    static final int LONGEST_VARIABLE = 1 << 16;
    /** Longer than any text that stands for a number. */
    static final int LONGEST_NUMBER = 32;

    Frame(char type, byte[] payload) {
        this(type, payload, payload.length);
    }

    /** Room for the longest piece of output. */
    static byte[] outputBuffer() {
        return new byte[LONGEST_OUTPUT];
    }

    static Frame of(char type, String payload) {
        return new Frame(type, payload.getBytes(StandardCharsets.UTF_8));
    }

    /** A name and a content in one payload. */
    static Frame of(char type, String name, byte[] content) {
        byte[] head = name.getBytes(StandardCharsets.UTF_8);
        return new Frame(
                type,
                ByteBuffer.allocate(head.length + 1 + content.length)
                        .put(head)
                        .put((byte) 0)
                        .put(content)
                        .array());
    }

    void writeTo(OutputStream out) throws IOException {
        out.write(ByteBuffer.allocate(5).put((byte) type).putInt(payload.length).array());
        out.write(payload);
    }

    /** The longest payload that a frame of a type may have at this moment. */
    interface Limit {
        /**
         * Returns the longest payload.
         *
         * @throws IOException if no frame of this type may come now
         */
        int longest(char type) throws IOException;
    }

    /**
     * Reads the next frame; empty at the end of the stream. A frame that is cut short, or longer than the limit, is
     * refused before memory is taken for its payload.
     *
     * @param buffer receives output and pieces of large files, so that a script that prints without end makes no
     *     garbage
     */
    static Optional<Frame> read(InputStream in, byte[] buffer, Limit limit) throws IOException {
        int first = in.read();
        if (first < 0) {
            return Optional.empty();
        }
        char type = (char) first;
        DataInputStream data = new DataInputStream(in);
        try {
            int length = data.readInt();
            if (length < 0 || length > limit.longest(type)) {
                throw new BrokenProtocolException("a frame of type " + first + " and length " + length);
            }
            byte[] payload = type == '1' || type == '2' || type == 'C' ? buffer : new byte[length];
            if (in.readNBytes(payload, 0, length) < length) {
                throw new EOFException();
            }
            return Optional.of(new Frame(type, payload, length));
        } catch (EOFException e) {
            throw new BrokenProtocolException("a frame cut short");
        }
    }

    /** What came out of the sandbox is not what the supervisor would have sent. */
    static final class BrokenProtocolException extends IOException {
        BrokenProtocolException(String found) {
            super("the sandbox sent " + found);
        }
    }
}
