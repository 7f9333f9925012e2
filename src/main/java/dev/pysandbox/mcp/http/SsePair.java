package dev.pysandbox.mcp.http;

import com.sun.net.httpserver.HttpExchange;
import dev.pysandbox.mcp.ClientSession;
import dev.pysandbox.mcp.McpServer;
import dev.pysandbox.mcp.Principal;
import dev.pysandbox.mcp.jsonrpc.BatchResponse;
import dev.pysandbox.mcp.jsonrpc.Incoming;
import dev.pysandbox.mcp.jsonrpc.MessageWriter;
import dev.pysandbox.mcp.jsonrpc.Outgoing;
import dev.pysandbox.mcp.jsonrpc.ResponseChannel;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The transport of revision 2024-11-05: a client receives all messages on one stream and posts its own to the address
 * that the first event names. Its session ends with the stream.
 */
final class SsePair {
    static final String STREAM = "/sse";
    static final String MESSAGES = "/messages";

    private static final String QUERY = "session=";
    private static final int ID_BYTES = 24;
    private static final int ACCEPTED = 202;
    private static final int MOST_WAITING = 1_000;

    private final McpServer server;
    private final MessageWriter writer;
    private final RequestReader reader;
    private final HttpBounds bounds;
    private final HttpThreads threads;
    private final SecureRandom random = new SecureRandom();
    private final Map<String, Connection> connections = new ConcurrentHashMap<>();
    private final AtomicInteger pending;

    /** @param pending counts the requests without a response */
    SsePair(McpServer server, RequestReader reader, HttpBounds bounds, HttpThreads threads, AtomicInteger pending) {
        this.server = server;
        this.writer = new MessageWriter(server.json());
        this.reader = reader;
        this.bounds = bounds;
        this.threads = threads;
        this.pending = pending;
        threads.repeat(
                bounds.heartbeat().dividedBy(2), () -> connections.values().forEach(Connection::beat));
    }

    /** Opens the stream of a new client. */
    void open(HttpExchange exchange, Principal principal) {
        byte[] bytes = new byte[ID_BYTES];
        random.nextBytes(bytes);
        String id = Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
        Connection connection = new Connection(id, server.openSession(principal), exchange);
        connections.put(id, connection);
        connection.send("endpoint", MESSAGES + "?" + QUERY + id);
    }

    /** Handles a message of a client; the response comes on its stream. */
    void post(HttpExchange exchange, Principal principal) throws IOException, Refusal {
        Connection connection = find(exchange.getRequestURI().getRawQuery(), principal)
                .orElseThrow(() -> new Refusal(Refusal.NOT_FOUND, "The session does not exist or has ended."));
        reader.read(exchange, (json, body) -> {
            if (pending.get() >= bounds.pending()) {
                throw Refusal.tooMany();
            }
            connection.receive(json, body);
            exchange.sendResponseHeaders(ACCEPTED, -1);
            exchange.close();
        });
    }

    private Optional<Connection> find(@Nullable String query, Principal principal) {
        return Optional.ofNullable(query)
                .filter(text -> text.startsWith(QUERY))
                .map(text -> connections.get(text.substring(QUERY.length())))
                .filter(connection -> connection.session.principal().equals(principal));
    }

    /** A client. */
    private final class Connection {
        private final String id;
        private final ClientSession session;
        private final HttpExchange exchange;
        private final EventStream stream;
        private final SerialTasks tasks = new SerialTasks(threads, bounds.writeTime());
        private volatile long lastUse = System.nanoTime();

        Connection(String id, ClientSession session, HttpExchange exchange) {
            this.id = id;
            this.session = session;
            this.exchange = exchange;
            this.stream = new EventStream(exchange);
        }

        void receive(Object json, RequestBody body) {
            pending.incrementAndGet();
            if (json instanceof List<?> members && !members.isEmpty() && session.allowsBatches()) {
                BatchResponse batch = new BatchResponse(
                        members.size(),
                        this::notify,
                        responses -> end(
                                responses.isEmpty() ? Optional.empty() : Optional.of(writer.text(responses)), body));
                members.forEach(member -> server.handle(session, Incoming.of(member), batch));
            } else {
                server.handle(session, Incoming.of(json), new Response(this, body));
            }
        }

        void notify(Outgoing.Notification notification) {
            if (tasks.waiting() < MOST_WAITING) {
                send("message", writer.text(notification));
            }
        }

        void end(Optional<String> response, RequestBody body) {
            tasks.add(() -> {
                response.ifPresent(text -> write(() -> stream.send("message", text)));
                body.close();
                pending.decrementAndGet();
            });
        }

        void send(String event, String data) {
            tasks.add(() -> write(() -> stream.send(event, data)));
        }

        void beat() {
            Duration quiet = Duration.ofNanos(System.nanoTime() - lastUse);
            if (quiet.compareTo(bounds.heartbeat()) >= 0 && tasks.waiting() == 0) {
                tasks.add(() -> write(stream::sendComment));
            }
        }

        private void write(EventStream.Write write) {
            try {
                write.run();
                lastUse = System.nanoTime();
            } catch (IOException e) {
                close();
            }
        }

        private void close() {
            if (connections.remove(id, this)) {
                server.cancelAll(session);
            }
            exchange.close();
        }
    }

    /** The response to one message. */
    private final class Response implements ResponseChannel {
        private final Connection connection;
        private final RequestBody body;

        Response(Connection connection, RequestBody body) {
            this.connection = connection;
            this.body = body;
        }

        @Override
        public void notify(Outgoing.Notification notification) {
            connection.notify(notification);
        }

        @Override
        public void respond(Outgoing response) {
            connection.end(Optional.of(writer.text(response)), body);
        }

        @Override
        public void close() {
            connection.end(Optional.empty(), body);
        }
    }
}
