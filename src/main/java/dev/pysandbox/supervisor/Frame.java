package dev.pysandbox.supervisor;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * A frame from a supervisor: a type, a length, a payload. The server does not trust its content.
 *
 * @param payload the buffer passed to {@link #read} for output and parts of files; only the first {@code length} bytes
 *     are valid
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record Frame(ReportType type, byte[] payload, int length) {
    static final int LONGEST_OUTPUT = 1 << 16;

    /** Longer than any number as text. */
    static final int LONGEST_NUMBER = 32;

    /** Returns a buffer for the longest frame of output. */
    static byte[] outputBuffer() {
        return new byte[LONGEST_OUTPUT];
    }

    /** Writes a frame to a supervisor. */
    static void write(OutputStream out, CommandType type, String payload) throws IOException {
        write(out, type, payload.getBytes(StandardCharsets.UTF_8));
    }

    /** Writes a frame with a name, a NUL and a content to a supervisor. */
    static void write(OutputStream out, CommandType type, String name, byte[] content) throws IOException {
        byte[] head = name.getBytes(StandardCharsets.UTF_8);
        write(
                out,
                type,
                ByteBuffer.allocate(head.length + 1 + content.length)
                        .put(head)
                        .put((byte) 0)
                        .put(content)
                        .array());
    }

    static void write(OutputStream out, CommandType type, byte[] payload) throws IOException {
        out.write(ByteBuffer.allocate(5)
                .put((byte) type.code())
                .putInt(payload.length)
                .array());
        out.write(payload);
    }

    /** The longest payload that a frame of a type may have at this moment. */
    interface Limit {
        /**
         * Returns the longest payload.
         *
         * @throws IOException if a frame of this type is not allowed now
         */
        int longest(ReportType type) throws IOException;
    }

    /**
     * Reads the next frame. Returns empty at the end of the stream. A frame that is longer than the limit is refused
     * before memory is allocated for its payload.
     *
     * @param buffer receives output and parts of large files, so that a script that prints without end creates no
     *     garbage
     */
    static Optional<Frame> read(InputStream in, byte[] buffer, Limit limit) throws IOException {
        int first = in.read();
        if (first < 0) {
            return Optional.empty();
        }
        ReportType type = ReportType.of(first)
                .orElseThrow(() -> new BrokenProtocolException("a frame of the unknown type " + first));
        DataInputStream data = new DataInputStream(in);
        try {
            int length = data.readInt();
            if (length < 0 || length > limit.longest(type)) {
                throw new BrokenProtocolException("a frame of type " + type + " and length " + length);
            }
            byte[] payload = switch (type) {
                case STDOUT, STDERR, PART -> buffer;
                default -> new byte[length];
            };
            if (in.readNBytes(payload, 0, length) < length) {
                throw new EOFException();
            }
            return Optional.of(new Frame(type, payload, length));
        } catch (EOFException e) {
            throw new BrokenProtocolException("a frame cut short");
        }
    }

    /** The sandbox sent data that the supervisor would not send. */
    static final class BrokenProtocolException extends IOException {
        BrokenProtocolException(String found) {
            super("the sandbox sent " + found);
        }
    }
}
