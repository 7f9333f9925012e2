package dev.pysandbox.supervisor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class InboxTest {
    private static final byte[] NOTHING = new byte[0];

    private final Inbox inbox = new Inbox();
    private final List<String> heard = new ArrayList<>();

    @BeforeEach
    void listen() {
        inbox.reportTo(new Report() {
            @Override
            public void output(Stream stream, byte[] bytes, int length) {
                heard.add(stream + " " + new String(bytes, 0, length, StandardCharsets.UTF_8));
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

    private void accept(char type, String payload) throws IOException {
        inbox.accept(Frame.of(type, payload));
    }

    @Test
    void tellsTheStoryOfATask() throws Exception {
        accept('R', "4096");
        assertEquals(4096, inbox.ready().get().bytes());
        assertFalse(inbox.accepted());
        accept('A', "");
        assertTrue(inbox.accepted());
        accept('1', "out");
        accept('2', "err");
        assertFalse(inbox.over().isDone());
        accept('D', "");
        assertTrue(inbox.over().isDone() && !inbox.ended().isDone());
        inbox.accept(Frame.of('F', "a.txt", new byte[3]));
        accept('X', "code=3 cpu_us=1 peak=2 oom=0");
        assertEquals(3, inbox.ended().get().exitCode());
        assertEquals(List.of("STDOUT out", "STDERR err", "over", "a.txt 3"), heard);
    }

    @Test
    void hearsNothingBeforeThereIsATask() {
        assertThrows(IOException.class, () -> new Inbox().accept(Frame.of('1', "too early")));
    }

    @Test
    void takesNoMoreOfAnythingThanThereMayBe() throws IOException {
        for (int number = 0; number < 64; number++) {
            inbox.accept(Frame.of('F', "name", NOTHING));
        }
        assertThrows(IOException.class, () -> inbox.accept(Frame.of('F', "name", NOTHING)));
        for (int number = 0; number < 256; number++) {
            inbox.accept(Frame.of('V', "name", NOTHING));
            inbox.accept(Frame.of('N', "name", "1".getBytes(StandardCharsets.UTF_8)));
        }
        assertThrows(IOException.class, () -> inbox.accept(Frame.of('V', "name", NOTHING)));
        assertThrows(
                IOException.class, () -> inbox.accept(Frame.of('N', "name", "1".getBytes(StandardCharsets.UTF_8))));
    }

    @Test
    void endsALargeFileWithWhateverComesNext() throws IOException {
        accept('L', "big\0005");
        accept('C', "123");
        accept('C', "45");
        accept('L', "cut\0003");
        accept('C', "1");
        accept('X', "code=0");
        assertEquals(List.of("big 5 of 5", "cut 1 of 3"), heard);
    }

    @Test
    void refusesMoreOfAFileThanWasSaid() throws IOException {
        accept('L', "big\0002");
        assertThrows(IOException.class, () -> accept('C', "123"));
        assertThrows(IOException.class, () -> accept('L', "big\000-1"));
        assertThrows(IOException.class, () -> accept('L', "big\000many"));
        assertThrows(IOException.class, () -> accept('F', "no name"));
    }

    @Test
    void tellsAllWhoWaitWhyNothingMoreComes() throws IOException {
        accept('L', "big\0005");
        accept('C', "12");
        inbox.breakOff(new IOException("gone"));
        assertEquals(List.of("big 2 of 5"), heard);
        assertTrue(inbox.ready().isCompletedExceptionally());
        assertTrue(inbox.over().isCompletedExceptionally());
        assertTrue(inbox.ended().isCompletedExceptionally());
    }

    @Test
    void passesOnWhyTheSupervisorFailed() {
        IOException failure = assertThrows(IOException.class, () -> accept('!', "no room"));
        assertEquals("the supervisor failed: no room", failure.getMessage());
    }
}
