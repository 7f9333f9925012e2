package dev.pysandbox.supervisor;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pysandbox.Fuzz;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class FrameTest {
    private static final Frame.Limit LIMIT = type -> {
        if ("RADLC12VFNX!".indexOf(type) < 0) {
            throw new Frame.BrokenProtocolException("a frame of unknown type " + (int) type);
        }
        return type == 'R' ? 20 : Frame.LONGEST_OUTPUT;
    };

    @Test
    void readsWhatItWrote() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Frame.of('1', "höllo").writeTo(out);
        Frame.of('F', "a/b.txt", new byte[] {0, 1, 2}).writeTo(out);
        ByteArrayInputStream in = new ByteArrayInputStream(out.toByteArray());
        Frame first = Frame.read(in, Frame.outputBuffer(), LIMIT).orElseThrow();
        assertEquals('1', first.type());
        assertArrayEquals(
                new byte[] {'h', (byte) 0xc3, (byte) 0xb6, 'l', 'l', 'o'},
                Arrays.copyOf(first.payload(), first.length()));
        assertEquals(
                "a/b.txt\0\0\1\2",
                new String(
                        Frame.read(in, Frame.outputBuffer(), LIMIT)
                                .orElseThrow()
                                .payload(),
                        java.nio.charset.StandardCharsets.UTF_8));
        assertTrue(Frame.read(in, Frame.outputBuffer(), LIMIT).isEmpty());
    }

    @Test
    void refusesWhatNoSupervisorWouldSend() {
        byte[][] hostile = {
            {'1', 0x7f, (byte) 0xff, (byte) 0xff, (byte) 0xff},
            {'1', (byte) 0xff, 0, 0, 0},
            {'1', 0, 1, 0, 1},
            {'R', 0, 0, 0, 21, 'x'},
            {'?', 0, 0, 0, 0},
            {'1', 0, 0, 0, 5, 'c', 'u', 't'},
            {'1', 0, 0},
        };
        for (byte[] bytes : hostile) {
            assertThrows(
                    IOException.class, () -> Frame.read(new ByteArrayInputStream(bytes), Frame.outputBuffer(), LIMIT));
        }
    }

    @Test
    void survivesAnyBytes() {
        Random random = Fuzz.random(11);
        int rounds = Fuzz.rounds(20_000);
        for (int round = 0; round < rounds; round++) {
            byte[] bytes = new byte[random.nextInt(64)];
            random.nextBytes(bytes);
            if (bytes.length > 4 && random.nextBoolean()) {
                bytes[0] = (byte) "RADLC12VFNX!".charAt(random.nextInt(12));
                bytes[1] = bytes[2] = bytes[3] = 0;
            }
            ByteArrayInputStream in = new ByteArrayInputStream(bytes);
            try {
                while (Frame.read(in, Frame.outputBuffer(), LIMIT).isPresent()) {
                    // until the end, or a refusal
                }
            } catch (IOException e) {
                assertTrue(String.valueOf(e.getMessage()).startsWith("the sandbox sent "), e.getMessage());
            }
        }
    }

    @Test
    void readsEndings() throws IOException {
        Ending ending = Ending.parse("code=-11 cpu_us=1500 peak=2048 oom=0");
        assertEquals(139, ending.exitCode());
        assertEquals(1_500_000, ending.cpu().toNanos());
        assertThrows(IOException.class, () -> Ending.parse("code=x"));
        assertThrows(IOException.class, () -> Ending.parse("nonsense"));
        assertThrows(IOException.class, () -> Ending.parse("code=0 cpu_us=-5 peak=-1"));
    }
}
