package dev.pysandbox.execution.output;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pysandbox.api.CapturedText;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class OutputCaptureTest {
    private static final Pattern OMITTED = Pattern.compile("\\n?\\[\\.\\.\\. (\\d+) bytes omitted \\.\\.\\.]\\n");

    @Test
    void keepsAllThatFits() {
        OutputCapture capture = new OutputCapture(1024);
        append(capture, "a".repeat(1000).getBytes(StandardCharsets.UTF_8));
        append(capture, "b".repeat(24).getBytes(StandardCharsets.UTF_8));
        assertEquals(new CapturedText("a".repeat(1000) + "b".repeat(24), 1024, false), capture.text());
    }

    @Test
    void keepsHeadAndTail() {
        OutputCapture capture = new OutputCapture(1024);
        for (int i = 0; i < 1000; i++) {
            append(capture, ("line " + i + "\n").getBytes(StandardCharsets.UTF_8));
        }
        CapturedText text = capture.text();
        assertTrue(text.truncated());
        assertTrue(text.text().startsWith("line 0\nline 1\n"));
        assertTrue(text.text().endsWith("line 998\nline 999\n"));
        assertEquals("line 999", capture.lastLine());
    }

    @Test
    void neverCutsACharacterAndCountsRight() {
        Random random = new Random(7);
        String[] alphabet = {"a", "é", "€", "😀"};
        for (int round = 0; round < 2000; round++) {
            OutputCapture capture = new OutputCapture(1024 + random.nextInt(9));
            StringBuilder all = new StringBuilder();
            int characters = random.nextInt(1500);
            for (int i = 0; i < characters; i++) {
                all.append(alphabet[random.nextInt(alphabet.length)]);
            }
            byte[] bytes = all.toString().getBytes(StandardCharsets.UTF_8);
            for (int from = 0; from < bytes.length; ) {
                int to = Math.min(bytes.length, from + 1 + random.nextInt(700));
                append(capture, Arrays.copyOfRange(bytes, from, to));
                from = to;
            }
            CapturedText text = capture.text();
            assertEquals(bytes.length, text.bytes());
            assertFalse(text.text().contains("\ufffd"), "round " + round);
            if (text.truncated()) {
                Matcher matcher = OMITTED.matcher(text.text());
                assertTrue(matcher.find());
                String before = text.text().substring(0, matcher.start());
                String after = text.text().substring(matcher.end());
                int kept = (before + after).getBytes(StandardCharsets.UTF_8).length;
                assertEquals(bytes.length, kept + Long.parseLong(matcher.group(1)), "round " + round);
                assertTrue(all.toString().startsWith(before));
                assertTrue(all.toString().endsWith(after));
            } else {
                assertEquals(all.toString(), text.text());
            }
        }
    }

    @Test
    void replacesWhatIsNotUtf8() {
        OutputCapture capture = new OutputCapture(1024);
        append(capture, new byte[] {'a', (byte) 0xff, 'b'});
        assertEquals("a\ufffdb", capture.text().text());
    }

    @Test
    void holdsBoundedMemoryForEndlessOutput() {
        OutputCapture capture = new OutputCapture(4096);
        byte[] piece = new byte[1 << 16];
        Arrays.fill(piece, (byte) 'x');
        for (int i = 0; i < 20_000; i++) {
            append(capture, piece);
        }
        assertEquals(20_000L << 16, capture.text().bytes());
        assertTrue(capture.text().text().length() < 4200);
    }

    private static void append(OutputCapture capture, byte[] bytes) {
        capture.append(bytes, bytes.length);
    }

    @Test
    void takesAPieceLongerThanItsTailWhileThatIsSmall() {
        OutputCapture capture = new OutputCapture(102_400);
        byte[] piece = new byte[65_536];
        java.util.Arrays.fill(piece, (byte) 'x');
        capture.append(piece, 51_300);
        piece[piece.length - 1] = 'z';
        capture.append(piece, piece.length);
        CapturedText text = capture.text();
        assertEquals(51_300 + 65_536, text.bytes());
        assertTrue(text.text().endsWith("xz"));
    }
}
