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
    private static final int OUTPUT = 1 << 16;
    private static final int NAME = 1 << 12;
    private static final int FILE = 8 << 20;
    private static final int VARIABLES = 1 << 20;

    Frame(char type, byte[] payload) {
        this(type, payload, payload.length);
    }

    /** Room for the longest piece of output. */
    static byte[] outputBuffer() {
        return new byte[OUTPUT];
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

    /**
     * The next frame, or empty at the end of the stream; a frame cut short or too long for its type is refused.
     *
     * @param buffer where output and large files are read into, over and over: a script that prints without end makes
     *     no garbage
     */
    static Optional<Frame> read(InputStream in, byte[] buffer) throws IOException {
        int first = in.read();
        if (first < 0) {
            return Optional.empty();
        }
        char type = (char) first;
        DataInputStream data = new DataInputStream(in);
        try {
            int length = data.readInt();
            if (length < 0 || length > longest(type)) {
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

    private static int longest(char type) throws BrokenProtocolException {
        return switch (type) {
            case 'R' -> 20;
            case 'A', 'D' -> 0;
            case '1', '2', 'C' -> OUTPUT;
            case 'V' -> VARIABLES;
            case 'F' -> NAME + 1 + FILE;
            case 'L', 'N', 'X', '!' -> NAME + 32;
            default -> throw new BrokenProtocolException("a frame of unknown type " + (int) type);
        };
    }

    /** What came out of the sandbox is not what the supervisor would have sent. */
    static final class BrokenProtocolException extends IOException {
        BrokenProtocolException(String found) {
            super("the sandbox sent " + found);
        }
    }
}
