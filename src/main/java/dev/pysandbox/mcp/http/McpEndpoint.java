package dev.pysandbox.mcp.http;

import com.sun.net.httpserver.HttpExchange;
import dev.pysandbox.mcp.ClientSession;
import dev.pysandbox.mcp.McpServer;
import dev.pysandbox.mcp.Principal;
import dev.pysandbox.mcp.ServerIdentity;
import dev.pysandbox.mcp.StatelessProtocol;
import dev.pysandbox.mcp.jsonrpc.BatchResponse;
import dev.pysandbox.mcp.jsonrpc.Incoming;
import dev.pysandbox.mcp.jsonrpc.Incoming.Request;
import dev.pysandbox.mcp.jsonrpc.MessageWriter;
import dev.pysandbox.mcp.jsonrpc.Outgoing;
import dev.pysandbox.mcp.jsonrpc.RpcError;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.ToIntFunction;

/** The MCP endpoint: passes each message to the server by the rules of its revision. */
final class McpEndpoint {
    private static final int OK = 200;
    private static final int ACCEPTED = 202;

    private final McpServer server;
    private final MessageWriter writer;
    private final RequestReader reader;
    private final HttpBounds bounds;
    private final HttpThreads threads;
    private final Sessions sessions;
    private final AtomicInteger pending;
    private final Map<HttpResponseChannel, ClientSession> open = new ConcurrentHashMap<>();
    private volatile boolean draining;

    /** @param pending counts the requests without a response */
    McpEndpoint(
            McpServer server,
            RequestReader reader,
            SessionIds ids,
            HttpBounds bounds,
            HttpThreads threads,
            AtomicInteger pending) {
        this.server = server;
        this.writer = new MessageWriter(server.json());
        this.reader = reader;
        this.bounds = bounds;
        this.threads = threads;
        this.pending = pending;
        this.sessions = new Sessions(server, ids);
        threads.repeat(
                bounds.heartbeat().dividedBy(2),
                () -> open.keySet().forEach(channel -> channel.beat(bounds.heartbeat())));
    }

    /** Handles a POST; returns before a tool call has ended. */
    void post(HttpExchange exchange, Principal principal) throws IOException, Refusal {
        reader.read(exchange, (json, body) -> handle(exchange, principal, json, body));
    }

    private void handle(HttpExchange exchange, Principal principal, Object json, RequestBody body)
            throws IOException, Refusal {
        if (json instanceof List<?> members) {
            handleBatch(exchange, principal, members, body);
            return;
        }
        Incoming message = Incoming.of(json);
        if (message instanceof Incoming.Invalid invalid) {
            fail(exchange, Refusal.BAD_REQUEST, invalid.id(), invalid.error(), body);
            return;
        }
        Optional<String> version = AccessRules.single(exchange.getRequestHeaders(), MirroredHeaders.VERSION);
        boolean handshake = version.isEmpty() || ServerIdentity.HANDSHAKE_VERSIONS.contains(version.get());
        if (message instanceof Request request && (!handshake || StatelessProtocol.owns(request))) {
            handleStateless(exchange, principal, request, body);
        } else if (!handshake) {
            // No notification of the stateless revision has a meaning over HTTP.
            body.close();
            exchange.sendResponseHeaders(ACCEPTED, -1);
            exchange.close();
        } else if (message instanceof Request request && request.method().equals("initialize")) {
            Sessions.Opened opened = sessions.open(contents(principal, request));
            exchange.getResponseHeaders().set(HttpResponseChannel.SESSION_ID, opened.id());
            handle(exchange, opened.session(), request, body, error -> OK, () -> {});
        } else {
            handle(exchange, session(exchange, principal), message, body, error -> OK, () -> {});
        }
    }

    private static SessionIds.Contents contents(Principal principal, Request initialize) {
        List<String> known = ServerIdentity.HANDSHAKE_VERSIONS;
        String wanted = String.valueOf(initialize.params().get("protocolVersion"));
        return new SessionIds.Contents(
                principal,
                known.contains(wanted) ? wanted : known.get(known.size() - 1),
                Incoming.name(initialize.params().get("clientInfo")));
    }

    private ClientSession session(HttpExchange exchange, Principal principal) throws Refusal {
        String id = AccessRules.single(exchange.getRequestHeaders(), HttpResponseChannel.SESSION_ID)
                .orElseThrow(() -> new Refusal(
                        Refusal.BAD_REQUEST,
                        "The header " + HttpResponseChannel.SESSION_ID + " is missing: send initialize first."));
        return sessions.find(id, principal)
                .orElseThrow(() -> new Refusal(
                        Refusal.NOT_FOUND, "The session does not exist or has ended: send initialize again."));
    }

    private void handleStateless(HttpExchange exchange, Principal principal, Request request, RequestBody body)
            throws IOException, Refusal {
        Optional<RpcError> refusal = MirroredHeaders.refuse(exchange.getRequestHeaders(), request)
                .or(() -> StatelessProtocol.refuse(request));
        if (refusal.isPresent()) {
            int status = statelessStatus(refusal.get());
            fail(exchange, status == OK ? Refusal.BAD_REQUEST : status, Optional.of(request.id()), refusal.get(), body);
            return;
        }
        ClientSession session = server.openStatelessSession(principal);
        handle(exchange, session, request, body, McpEndpoint::statelessStatus, () -> server.cancelAll(session));
    }

    private static int statelessStatus(RpcError error) {
        return switch (error.code()) {
            case RpcError.METHOD_NOT_FOUND -> Refusal.NOT_FOUND;
            case RpcError.HEADER_MISMATCH, RpcError.UNSUPPORTED_PROTOCOL_VERSION -> Refusal.BAD_REQUEST;
            default -> OK;
        };
    }

    private void handle(
            HttpExchange exchange,
            ClientSession session,
            Incoming message,
            RequestBody body,
            ToIntFunction<RpcError> statusOfError,
            Runnable whenGone)
            throws Refusal {
        if (message instanceof Request) {
            checkRoom();
        }
        HttpResponseChannel channel = open(exchange, session, body, statusOfError, whenGone);
        if (message instanceof Request) {
            channel.expectResponse();
        }
        server.handle(session, message, channel);
    }

    private void handleBatch(HttpExchange exchange, Principal principal, List<?> members, RequestBody body)
            throws Refusal {
        ClientSession session = session(exchange, principal);
        if (members.isEmpty() || !session.allowsBatches()) {
            throw new Refusal(Refusal.BAD_REQUEST, "The body must be one message.");
        }
        checkRoom();
        HttpResponseChannel channel = open(exchange, session, body, error -> OK, () -> {});
        channel.expectResponse();
        BatchResponse batch = new BatchResponse(members.size(), channel::notify, channel::respond);
        members.forEach(member -> server.handle(session, Incoming.of(member), batch));
    }

    void checkDraining() throws Refusal {
        if (draining) {
            throw Refusal.later(Refusal.UNAVAILABLE, "The server is shutting down", 1);
        }
    }

    private void checkRoom() throws Refusal {
        checkDraining();
        if (pending.get() >= bounds.pending()) {
            throw Refusal.tooMany();
        }
    }

    private HttpResponseChannel open(
            HttpExchange exchange,
            ClientSession session,
            RequestBody body,
            ToIntFunction<RpcError> statusOfError,
            Runnable whenGone) {
        SerialTasks tasks = new SerialTasks(threads, bounds.writeTime());
        HttpResponseChannel channel =
                new HttpResponseChannel(exchange, writer, tasks, statusOfError, whenGone, ended -> {
                    if (open.remove(ended) != null) {
                        pending.decrementAndGet();
                    }
                    body.close();
                });
        open.put(channel, session);
        pending.incrementAndGet();
        return channel;
    }

    private void fail(HttpExchange exchange, int status, Optional<Object> id, RpcError error, RequestBody body)
            throws IOException {
        body.close();
        HttpMessages.send(
                exchange,
                status,
                "application/json",
                id.isPresent() ? writer.text(new Outgoing.Failure(id, error)) : Refusals.text(server.json(), error));
    }

    boolean isDraining() {
        return draining;
    }

    /** Refuses further requests and ends the subscriptions. */
    void drain() {
        draining = true;
        open.values().forEach(server::endSubscriptions);
    }
}
