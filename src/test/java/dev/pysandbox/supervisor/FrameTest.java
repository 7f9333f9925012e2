package dev.pysandbox.supervisor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pysandbox.Fuzz;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class FrameTest {
    private static final Frame.Limit LIMIT = type -> type == ReportType.READY ? 20 : Frame.LONGEST_OUTPUT;

    @Test
    void readsFrames() throws IOException {
        byte[] bytes = "1\0\0\0\6höllo".getBytes(StandardCharsets.UTF_8);
        ByteArrayInputStream in = new ByteArrayInputStream(bytes);
        Frame frame = Frame.read(in, Frame.outputBuffer(), LIMIT).orElseThrow();
        assertEquals(ReportType.STDOUT, frame.type());
        assertEquals("höllo", new String(frame.payload(), 0, frame.length(), StandardCharsets.UTF_8));
        assertTrue(Frame.read(in, Frame.outputBuffer(), LIMIT).isEmpty());
    }

    @Test
    void writesFrames() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Frame.write(out, CommandType.OPTION, "live");
        Frame.write(out, CommandType.FILE, "a/b.txt", new byte[] {0, 1, 2});
        assertEquals("o\0\0\0\4livef\0\0\0\13a/b.txt\0\0\1\2", out.toString(StandardCharsets.UTF_8));
    }

    @Test
    void everyTypeHasALetterOfItsOwn() {
        List<Character> letters = Stream.concat(
                        Arrays.stream(ReportType.values()).map(ReportType::code),
                        Arrays.stream(CommandType.values()).map(CommandType::code))
                .toList();
        assertEquals(letters.size(), Set.copyOf(letters).size(), letters::toString);
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
                    // until the end or an error
                }
            } catch (IOException e) {
                assertTrue(String.valueOf(e.getMessage()).startsWith("the sandbox sent "), e.getMessage());
            }
        }
    }

    @Test
    void readsEndings() throws IOException {
        TaskResult ending = TaskResult.parse("code=-11 cpu_us=1500 peak=2048 oom=0");
        assertEquals(139, ending.exitCode());
        assertEquals(1_500_000, ending.cpu().toNanos());
        assertThrows(IOException.class, () -> TaskResult.parse("code=x"));
        assertThrows(IOException.class, () -> TaskResult.parse("nonsense"));
        assertThrows(IOException.class, () -> TaskResult.parse("code=0 cpu_us=-5 peak=-1"));
    }
}
