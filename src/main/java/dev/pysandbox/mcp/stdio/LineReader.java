package dev.pysandbox.mcp.stdio;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

/** Splits a stream of bytes into lines of UTF-8; skips a line that is too long without holding it in memory. */
final class LineReader {

    private static final int CHUNK = 1 << 16;

    private final InputStream in;
    private final int maxBytes;
    private final byte[] chunk = new byte[CHUNK];
    private int next;
    private int end;

    LineReader(InputStream in, int maxBytes) {
        this.in = in;
        this.maxBytes = maxBytes;
    }

    /** The content between two line ends. */
    sealed interface Line {
        /** A valid line, without its line end. */
        record Text(String value) implements Line {}

        record BadEncoding() implements Line {}

        record TooLong() implements Line {}
    }

    /** Returns the next line; empty at the end of the stream. The last line needs no line end. */
    Optional<Line> next() throws IOException {
        byte[] line = new byte[0];
        int length = 0;
        boolean tooLong = false;
        boolean any = false;
        while (next < end || fill()) {
            any = true;
            int stop = next;
            while (stop < end && chunk[stop] != '\n') {
                stop++;
            }
            int more = stop - next;
            tooLong |= more > maxBytes - length;
            if (tooLong) {
                line = new byte[0];
            } else {
                try {
                    line = withRoomFor(line, length, more);
                    System.arraycopy(chunk, next, line, length, more);
                    length += more;
                } catch (OutOfMemoryError e) {
                    tooLong = true;
                    line = new byte[0];
                }
            }
            boolean ended = stop < end;
            next = ended ? stop + 1 : stop;
            if (ended) {
                break;
            }
        }
        if (!any) {
            return Optional.empty();
        }
        return Optional.of(tooLong ? new Line.TooLong() : decode(line, length));
    }

    private boolean fill() throws IOException {
        int read = in.read(chunk);
        next = 0;
        end = Math.max(read, 0);
        return read > 0;
    }

    private byte[] withRoomFor(byte[] line, int length, int more) {
        if (line.length - length >= more) {
            return line;
        }
        long doubled = Math.max(2L * line.length, (long) length + more);
        return Arrays.copyOf(line, (int) Math.min(doubled, maxBytes));
    }

    private static Line decode(byte[] line, int length) {
        try {
            // A CharsetDecoder would use twice the memory. If nothing was replaced, nothing was malformed.
            String text = new String(line, 0, length, StandardCharsets.UTF_8);
            if (text.indexOf('\uFFFD') >= 0) {
                StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(line, 0, length));
            }
            // Some Windows shells write a byte order mark at the start of a pipe.
            return new Line.Text(text.startsWith("\uFEFF") ? text.substring(1) : text);
        } catch (CharacterCodingException e) {
            return new Line.BadEncoding();
        } catch (OutOfMemoryError e) {
            return new Line.TooLong();
        }
    }
}
