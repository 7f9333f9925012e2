package dev.pysandbox.mcp.stdio;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.pysandbox.mcp.stdio.LineReader.Line;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class LineReaderTest {
    private static List<Line> lines(byte[] bytes, int max, int chunk) throws IOException {
        InputStream in = new ByteArrayInputStream(bytes) {
            @Override
            public synchronized int read(byte[] into, int from, int length) {
                return super.read(into, from, Math.min(length, chunk));
            }

            @Override
            public int read(byte[] into) {
                return read(into, 0, into.length);
            }
        };
        LineReader reader = new LineReader(in, max);
        List<Line> lines = new ArrayList<>();
        for (Optional<Line> line = reader.next(); line.isPresent(); line = reader.next()) {
            lines.add(line.get());
        }
        return lines;
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void cutsAtNewlinesHoweverTheBytesArrive() throws IOException {
        List<Line> expected = List.of(new Line.Text("äb"), new Line.Text(""), new Line.Text("c\r"), new Line.Text("d"));
        for (int chunk = 1; chunk < 10; chunk++) {
            assertEquals(expected, lines(utf8("äb\n\nc\r\nd"), 100, chunk));
        }
    }

    @Test
    void theLongestLineIsTakenAndALongerOneSkipped() throws IOException {
        for (int chunk = 1; chunk < 10; chunk++) {
            assertEquals(
                    List.of(new Line.Text("12345"), new Line.TooLong(), new Line.Text("1"), new Line.TooLong()),
                    lines(utf8("12345\n123456\n1\n1234567890"), 5, chunk));
        }
    }

    @Test
    void knowsBadEncoding() throws IOException {
        byte[] bytes = {'a', (byte) 0xff, '\n', 'b', '\n'};
        assertEquals(List.of(new Line.BadEncoding(), new Line.Text("b")), lines(bytes, 100, 100));
    }

    @Test
    void anEmptyStreamHasNoLines() throws IOException {
        assertEquals(List.of(), lines(new byte[0], 5, 5));
    }
}
