package dev.pysandbox.mcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pysandbox.api.ProducedFile;
import dev.pysandbox.mcp.jsonrpc.Incoming;
import dev.pysandbox.mcp.jsonrpc.Outgoing;
import dev.pysandbox.mcp.jsonrpc.ResponseChannel;
import dev.pysandbox.mcp.tools.LogLevel;
import dev.pysandbox.support.Sha256;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Checks that two clients of one server receive nothing of each other. Uses no streams. */
@Timeout(60)
final class TwoClientsTest {
    @TempDir
    private Path folder;

    private final AtomicInteger files = new AtomicInteger();
    private final CountDownLatch bothStarted = new CountDownLatch(2);
    private final CountDownLatch released = new CountDownLatch(1);
    private final ToyTool keep = new ToyTool("keep", (arguments, context) -> {
        context.offer(List.of(newFile(String.valueOf(arguments.get("name")))));
        return "kept";
    });
    private final ToyTool work = new ToyTool("work", (arguments, context) -> {
        context.progress("working for " + arguments.get("name"));
        context.log(LogLevel.INFO, "a line for " + arguments.get("name"));
        bothStarted.countDown();
        try {
            released.await();
            return "done for " + arguments.get("name");
        } catch (InterruptedException e) {
            return "interrupted";
        }
    });
    private final McpServer server = new McpServer(List.of(keep, work), true);
    private final Client ann = new Client("ann");
    private final Client bob = new Client("bob");

    private ProducedFile newFile(String name) {
        try {
            byte[] content = name.getBytes(StandardCharsets.UTF_8);
            Path path = Files.write(folder.resolve(files.incrementAndGet() + "-" + name), content);
            return new ProducedFile(
                    name,
                    "text/plain",
                    content.length,
                    Optional.of(Sha256.of(content)),
                    new byte[0],
                    Optional.of(path));
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    /** A client whose transport is a queue. */
    private final class Client implements ResponseChannel {
        private final ClientSession session;
        private final BlockingQueue<Outgoing> received = new LinkedBlockingQueue<>();
        private final AtomicInteger closed = new AtomicInteger();

        Client(String name) {
            session = server.openSession(new Principal(name));
        }

        void send(Object id, String method, Map<String, Object> params) {
            server.handle(session, new Incoming.Request(id, method, params), this);
        }

        void call(Object id, String tool, String name) {
            send(
                    id,
                    "tools/call",
                    Map.of("name", tool, "arguments", Map.of("name", name), "_meta", Map.of("progressToken", name)));
        }

        Outgoing next() throws InterruptedException {
            Outgoing message = received.poll(30, TimeUnit.SECONDS);
            assertNotNull(message, "nothing was received");
            return message;
        }

        @Override
        public void notify(Outgoing.Notification notification) {
            received.add(notification);
        }

        @Override
        public void respond(Outgoing response) {
            received.add(response);
        }

        @Override
        public void close() {
            closed.incrementAndGet();
        }
    }

    private String names(Client client) throws InterruptedException {
        client.send("list", "resources/list", Map.of());
        return client.next().toString();
    }

    @Test
    void keptFilesBelongToTheClientWhoseCallMadeThem() throws Exception {
        ann.call(1, "keep", "plans");
        ann.next();
        bob.call(1, "keep", "notes");
        bob.next();
        assertTrue(names(ann).contains("plans") && !names(ann).contains("notes"), names(ann));
        assertTrue(names(bob).contains("notes") && !names(bob).contains("plans"), names(bob));
        String uri = folder.resolve("1-plans").toUri().toString();
        bob.send(2, "resources/read", Map.of("uri", uri));
        assertTrue(bob.next() instanceof Outgoing.Failure, "one client reads the file of another");
        ann.send(2, "resources/read", Map.of("uri", uri));
        assertTrue(ann.next().toString().contains("plans"));
    }

    @Test
    void progressLogLevelsAndCancelsDoNotMix() throws Exception {
        ann.send("level", "logging/setLevel", Map.of("level", "info"));
        ann.next();
        ann.call(7, "work", "ann");
        bob.call(7, "work", "bob");
        assertTrue(bothStarted.await(30, TimeUnit.SECONDS));
        assertEquals("working for ann", message(ann.next()));
        assertEquals("a line for ann", data(ann.next()));
        assertEquals("working for bob", message(bob.next()));
        server.handle(bob.session, new Incoming.Notification("notifications/cancelled", Map.of("requestId", 7)), bob);
        released.countDown();
        assertTrue(ann.next().toString().contains("done for ann"));
        bob.send(8, "ping", Map.of());
        assertEquals(Map.of(), ((Outgoing.Result) bob.next()).result(), "a cancelled call gets no response");
        assertEquals(2, bob.closed.get(), "the cancelled request and the notification");
        assertEquals(0, ann.closed.get());
    }

    @Test
    void closingOneSessionLeavesTheOtherAlone() throws Exception {
        ann.call(1, "work", "ann");
        bob.call(1, "work", "bob");
        assertTrue(bothStarted.await(30, TimeUnit.SECONDS));
        bob.next();
        ann.next();
        server.close(bob.session);
        assertTrue(bob.next().toString().contains("interrupted"));
        released.countDown();
        assertTrue(ann.next().toString().contains("done for ann"));
    }

    private static Object message(Outgoing progress) {
        return ((Outgoing.Notification) progress).params().get("message");
    }

    private static Object data(Outgoing log) {
        return ((Outgoing.Notification) log).params().get("data");
    }
}
