package dev.pysandbox.supervisor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pysandbox.api.ExecutionListener;
import dev.pysandbox.support.ByteSize;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class FrameDispatcherTest {
    private static final byte[] NOTHING = new byte[0];

    private final FrameDispatcher inbox = new FrameDispatcher();
    private final List<String> heard = new ArrayList<>();

    @BeforeEach
    void expectATask() throws IOException {
        Task task = new Task(
                List.of(),
                Optional.of(NOTHING),
                List.of(),
                List.of("x", "y"),
                Map.of(),
                false,
                false,
                new ByteSize(10));
        inbox.expect(task, new TaskListener() {
            @Override
            public void output(ExecutionListener.Stream stream, byte[] bytes, int length) {
                heard.add(stream + " " + new String(bytes, 0, length, StandardCharsets.UTF_8));
            }

            @Override
            public void variable(String name, byte[] json) {
                heard.add(name + " = " + new String(json, StandardCharsets.UTF_8));
            }

            @Override
            public void value(String repr) {
                heard.add("value " + repr);
            }

            @Override
            public void over() {
                heard.add("over");
            }

            @Override
            public void file(String name, byte[] content) {
                heard.add(name + " " + content.length);
            }

            @Override
            public OutputStream largeFile(String name, long size) {
                return new ByteArrayOutputStream() {
                    @Override
                    public void close() {
                        heard.add(name + " " + size() + " of " + size);
                    }
                };
            }
        });
    }

    /** Passes a frame to the dispatcher as if a sandbox had sent it. */
    private void send(char type, byte[] payload) throws IOException {
        byte[] bytes = ByteBuffer.allocate(5 + payload.length)
                .put((byte) type)
                .putInt(payload.length)
                .put(payload)
                .array();
        inbox.accept(Frame.read(new ByteArrayInputStream(bytes), Frame.outputBuffer(), inbox)
                .orElseThrow());
    }

    private void send(char type, String payload) throws IOException {
        send(type, payload.getBytes(StandardCharsets.UTF_8));
    }

    private void sendUntilOver() throws IOException {
        send('R', "1");
        send('A', "");
        send('D', "");
        heard.clear();
    }

    @Test
    void passesOnWhatATaskSends() throws Exception {
        send('R', "4096");
        assertEquals(4096, inbox.ready().get().bytes());
        assertFalse(inbox.accepted());
        send('A', "");
        assertTrue(inbox.accepted());
        send('1', "out");
        send('2', "err");
        assertFalse(inbox.over().isDone());
        send('D', "");
        assertTrue(inbox.over().isDone() && !inbox.ended().isDone());
        send('V', "x\0{}");
        send('E', "42");
        send('F', "a.txt\000123");
        assertThrows(Frame.BrokenProtocolException.class, () -> send('E', "43"));
        send('X', "code=3 cpu_us=1 peak=2 oom=0 figures=2");
        assertEquals(2, inbox.ended().get().missingFigures());
        assertEquals(3, inbox.ended().get().exitCode());
        assertEquals(List.of("STDOUT out", "STDERR err", "over", "x = {}", "value 42", "a.txt 3"), heard);
    }

    @Test
    void refusesFramesOutOfTheirOrder() throws IOException {
        String phases = "RAD"; // each of these frames begins the next phase
        String[] allowed = {"R!", "A!", "12D!", "VEFLCNX!"};
        for (int phase = 0; phase < allowed.length; phase++) {
            for (ReportType type : ReportType.values()) {
                if (allowed[phase].indexOf(type.code()) < 0) {
                    assertThrows(Frame.BrokenProtocolException.class, () -> inbox.longest(type));
                } else {
                    inbox.longest(type);
                }
            }
            if (phase < phases.length()) {
                send(phases.charAt(phase), phase == 0 ? "1" : "");
            }
        }
        send('X', "code=0");
        assertThrows(Frame.BrokenProtocolException.class, () -> inbox.longest(ReportType.STDOUT));
    }

    @Test
    void refusesATaskAcceptedBeforeItIsGiven() throws IOException {
        FrameDispatcher untasked = new FrameDispatcher();
        untasked.accept(new Frame(ReportType.READY, new byte[] {'1'}, 1));
        assertThrows(Frame.BrokenProtocolException.class, () -> untasked.longest(ReportType.ACCEPTED));
    }

    @Test
    void boundsTheNumberOfItems() throws IOException {
        sendUntilOver();
        for (int number = 0; number < 64; number++) {
            send('F', "name\0");
        }
        assertThrows(IOException.class, () -> send('F', "name\0"));
        for (int number = 0; number < 256; number++) {
            send('N', "name\0001");
        }
        assertThrows(IOException.class, () -> send('N', "name\0001"));
    }

    @Test
    void boundsTheSumOfFiles() throws IOException {
        sendUntilOver();
        byte[] file = new byte[2 + (8 << 20)];
        file[0] = 'f';
        for (int number = 0; number < 3; number++) {
            send('F', file);
        }
        assertThrows(Frame.BrokenProtocolException.class, () -> send('F', file));
    }

    @Test
    void takesOnlyVariablesThatWereAskedForAndEachOnce() throws IOException {
        sendUntilOver();
        send('V', "x\0001");
        assertThrows(IOException.class, () -> send('V', "x\0002"));
        assertThrows(IOException.class, () -> send('V', "z\0003"));
    }

    @Test
    void boundsTheSumOfLargeFiles() throws IOException {
        sendUntilOver();
        send('L', "one\0006");
        assertThrows(IOException.class, () -> send('L', "two\0005"));
    }

    @Test
    void endsALargeFileWithWhateverComesNext() throws IOException {
        sendUntilOver();
        send('L', "big\0005");
        send('C', "123");
        send('C', "45");
        assertEquals(5, inbox.largeBytesReceived());
        send('L', "cut\0003");
        send('C', "1");
        send('X', "code=0");
        assertEquals(List.of("big 5 of 5", "cut 1 of 3"), heard);
    }

    @Test
    void refusesMoreOfAFileThanWasSaid() throws IOException {
        sendUntilOver();
        send('L', "big\0002");
        assertThrows(IOException.class, () -> send('C', "123"));
        assertThrows(IOException.class, () -> send('L', "big\000-1"));
        assertThrows(IOException.class, () -> send('L', "big\000many"));
        assertThrows(IOException.class, () -> send('F', "no name"));
    }

    @Test
    void failsAllThatWaitWhenNothingMoreComes() throws IOException {
        sendUntilOver();
        send('L', "big\0005");
        send('C', "12");
        inbox.fail(new IOException("gone"));
        assertEquals(List.of("big 2 of 5"), heard);
        assertFalse(inbox.over().isCompletedExceptionally());
        assertTrue(inbox.ended().isCompletedExceptionally());
    }

    @Test
    void passesOnWhyTheSupervisorFailed() {
        IOException failure = assertThrows(IOException.class, () -> send('!', "no room"));
        assertEquals("the supervisor failed: no room", failure.getMessage());
    }
}
