package dev.pysandbox.mcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.pysandbox.mcp.stdio.StdioServer;
import dev.pysandbox.mcp.tools.SandboxTool;
import dev.pysandbox.mcp.tools.ToolText;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A client that exchanges lines with a server in this process. */
public final class TestClient implements AutoCloseable {
    private static final JsonMapper JSON = new JsonMapper();
    private static final long PATIENCE_SECONDS = 30;

    private final BlockingQueue<byte[]> toServer = new LinkedBlockingQueue<>();
    private final BlockingQueue<String> fromServer = new LinkedBlockingQueue<>();
    private final StdioServer server;
    private final Thread serving;

    public TestClient(List<SandboxTool> tools) {
        this(tools, Optional.empty());
    }

    public TestClient(List<SandboxTool> tools, Optional<List<ToolText>> texts) {
        this(tools, false, texts);
    }

    public TestClient(List<SandboxTool> tools, boolean keepsFiles, Optional<List<ToolText>> texts) {
        server = new StdioServer(
                () -> tools, keepsFiles, texts, Optional.empty(), new QueuedInput(), new LineCollector());
        serving = new Thread(server::run, "test-server");
        serving.setDaemon(true);
        serving.start();
    }

    /** A stream of the sent bytes; an empty array ends it. The JDK's pipe polls only once a second. */
    private final class QueuedInput extends InputStream {
        private ByteArrayInputStream current = new ByteArrayInputStream(new byte[0]);
        private boolean ended;

        @Override
        public int read() {
            throw new AssertionError("byte by byte is too slow");
        }

        @Override
        public int read(byte[] into, int from, int length) throws IOException {
            if (current.available() == 0 && !ended) {
                try {
                    current = new ByteArrayInputStream(toServer.take());
                } catch (InterruptedException e) {
                    throw new IOException(e);
                }
                ended = current.available() == 0;
            }
            return ended ? -1 : current.read(into, from, length);
        }
    }

    /** Collects the lines that the server writes. */
    private final class LineCollector extends OutputStream {
        private final ByteArrayOutputStream line = new ByteArrayOutputStream();

        @Override
        public synchronized void write(int b) {
            if (b == '\n') {
                fromServer.add(line.toString(StandardCharsets.UTF_8));
                line.reset();
            } else {
                line.write(b);
            }
        }

        @Override
        public synchronized void write(byte[] bytes, int from, int length) {
            int last = from + length - 1;
            if (bytes[last] != '\n') {
                throw new AssertionError("lines must be written in one piece");
            }
            line.write(bytes, from, length - 1);
            write('\n');
        }
    }

    public StdioServer server() {
        return server;
    }

    public void send(String line) {
        send((line + "\n").getBytes(StandardCharsets.UTF_8));
    }

    public void send(byte[] bytes) {
        toServer.add(bytes);
    }

    /** Sends a line and returns the next message. */
    public JsonNode ask(String line) {
        send(line);
        return next();
    }

    public JsonNode next() {
        try {
            String line = fromServer.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
            assertNotNull(line, "the server says nothing");
            return JSON.readTree(line);
        } catch (InterruptedException | IOException e) {
            throw new AssertionError(e);
        }
    }

    /** Sends a ping and fails if the next message is not its response. */
    public void assertAlive() {
        JsonNode pong = ask("{'jsonrpc':'2.0','id':'still there?','method':'ping'}".replace('\'', '"'));
        assertEquals("still there?", pong.path("id").asText(), pong::toString);
        assertEquals(0, pong.path("result").size(), pong::toString);
    }

    /** Sends a ping and returns the number of messages before its response. */
    int answersUntilPong() {
        send("{'jsonrpc':'2.0','id':'last','method':'ping'}".replace('\'', '"'));
        int count = 0;
        while (!next().path("id").asText().equals("last")) {
            count++;
        }
        return count;
    }

    public void endInput() {
        toServer.add(new byte[0]);
    }

    public void awaitEnd() {
        try {
            serving.join(TimeUnit.SECONDS.toMillis(PATIENCE_SECONDS));
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        assertFalse(serving.isAlive(), "the server goes on");
    }

    public boolean saidNothingMore() {
        return fromServer.isEmpty();
    }

    @Override
    public void close() {
        endInput();
        awaitEnd();
    }
}
