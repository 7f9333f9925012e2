package dev.pysandbox.mcp;

import dev.pysandbox.mcp.jsonrpc.Incoming;
import dev.pysandbox.mcp.jsonrpc.Incoming.Invalid;
import dev.pysandbox.mcp.jsonrpc.Incoming.Notification;
import dev.pysandbox.mcp.jsonrpc.Incoming.Request;
import dev.pysandbox.mcp.jsonrpc.Jackson2Mapper;
import dev.pysandbox.mcp.jsonrpc.Outgoing;
import dev.pysandbox.mcp.jsonrpc.ResponseChannel;
import dev.pysandbox.mcp.jsonrpc.RpcError;
import dev.pysandbox.mcp.jsonrpc.RpcException;
import dev.pysandbox.mcp.tools.LogLevel;
import dev.pysandbox.mcp.tools.SandboxTool;
import io.modelcontextprotocol.json.TypeRef;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The MCP server without a transport: handles the messages of any number of clients.
 *
 * <p>A transport opens a {@link ClientSession} for each client and passes each message to {@link #handle} with a
 * {@link ResponseChannel}.
 */
public final class McpServer {
    private static final Logger log = LoggerFactory.getLogger(McpServer.class);
    private static final Duration TIME_TO_STOP = Duration.ofSeconds(5);

    private final Jackson2Mapper json = new Jackson2Mapper();
    private final boolean keepsFiles;
    private final Map<Principal, KeptResources> keptFiles = new ConcurrentHashMap<>();
    private final SdkDispatcher tools;
    private final ParamsCheck paramsCheck;
    private final RequestThreads threads = new RequestThreads();

    /**
     * Creates a server. Loading the SDK takes several hundred milliseconds.
     *
     * @param keepsFiles whether the files that scripts write are kept, and offered as resources
     */
    public McpServer(List<SandboxTool> tools, boolean keepsFiles) {
        this.keepsFiles = keepsFiles;
        this.tools = SdkDispatcher.create(tools, keepsFiles, json);
        this.paramsCheck = new ParamsCheck(
                tools.stream().map(tool -> tool.definition().name()).toList());
    }

    /** Opens the session of a new client, whose requests may use any revision. */
    public ClientSession openSession(Principal principal) {
        return new ClientSession(principal, false, keptFiles(principal));
    }

    /** Opens a session for one request of the stateless revision. */
    public ClientSession openStatelessSession(Principal principal) {
        return new ClientSession(principal, true, keptFiles(principal));
    }

    private Optional<KeptResources> keptFiles(Principal principal) {
        return keepsFiles
                ? Optional.of(keptFiles.computeIfAbsent(principal, owner -> new KeptResources()))
                : Optional.empty();
    }

    public Jackson2Mapper json() {
        return json;
    }

    /** Handles one message of a client; returns before a tool call has ended. */
    public void handle(ClientSession session, Incoming message, ResponseChannel channel) {
        if (message instanceof Request request) {
            handle(new PendingRequest(session, request, channel));
        } else if (message instanceof Invalid invalid) {
            channel.respond(new Outgoing.Failure(invalid.id(), invalid.error()));
        } else {
            if (message instanceof Notification notification
                    && notification.method().equals("notifications/cancelled")) {
                cancel(session, notification.params().get("requestId"));
            }
            channel.close();
        }
    }

    private void handle(PendingRequest pending) {
        Request request = pending.request();
        if (!pending.session().add(pending)) {
            RpcError error = RpcError.invalidRequest("The id of this request is in use by another one.");
            pending.channel().respond(new Outgoing.Failure(request.id(), error));
            return;
        }
        Optional<RpcError> refusal = pending.stateless() ? StatelessProtocol.refuse(request) : Optional.empty();
        refusal = refusal.or(() -> paramsCheck.refuse(request));
        if (refusal.isPresent()) {
            fail(pending, refusal.get());
            return;
        }
        switch (request.method()) {
            case "ping" -> respond(pending, Map.of());
            case "logging/setLevel" -> {
                pending.session().logLevel(LogLevel.of(request.params().get("level")));
                respond(pending, Map.of());
            }
            case StatelessProtocol.DISCOVER -> respond(pending, StatelessProtocol.discovery(keepsFiles));
            case StatelessProtocol.LISTEN ->
                pending.channel()
                        .notify(new Outgoing.Notification(
                                "notifications/subscriptions/acknowledged",
                                StatelessProtocol.acknowledgement(request.id())));
            case "tools/call", KeptResources.READ -> startThread(pending);
            case "initialize" -> {
                pending.session()
                        .initialized(
                                String.valueOf(request.params().get("protocolVersion")),
                                Incoming.name(request.params().get("clientInfo")));
                dispatch(pending);
            }
            default -> dispatch(pending);
        }
    }

    private void startThread(PendingRequest pending) {
        try {
            threads.start(pending, () -> dispatch(pending));
        } catch (RuntimeException | Error e) {
            log.error("No thread could be started", e);
            fail(pending, RpcError.internal());
        }
    }

    private void dispatch(PendingRequest pending) {
        try {
            respond(pending, result(pending));
        } catch (RpcException e) {
            fail(pending, e.error());
        } catch (RuntimeException | Error e) {
            log.error("{} failed", pending.request().method(), e);
            fail(pending, RpcError.internal());
        }
    }

    private Object result(PendingRequest pending) throws RpcException {
        Request request = pending.request();
        Optional<KeptResources> resources = pending.session().resources();
        if (resources.isPresent() && resources.get().handles(request)) {
            int notFound = pending.stateless() ? RpcError.INVALID_PARAMS : RpcError.RESOURCE_NOT_FOUND;
            return resources.get().handle(request, notFound);
        }
        return tools.dispatch(request, pending);
    }

    private static void cancel(ClientSession session, @Nullable Object id) {
        Optional.ofNullable(id).flatMap(session::find).ifPresent(McpServer::cancel);
    }

    private static void cancel(PendingRequest pending) {
        if (pending.settle()) {
            pending.interrupt();
            pending.channel().close();
        }
    }

    /** Cancels all requests of a session, without responses. */
    public void cancelAll(ClientSession session) {
        session.pending().forEach(McpServer::cancel);
    }

    private void respond(PendingRequest pending, Object result) {
        Object complete = result;
        if (StructuredContentWorkaround.isFor(pending.clientName())) {
            complete = StructuredContentWorkaround.of(json.convertValue(complete, new JsonObject()));
        }
        if (pending.stateless()) {
            complete = StatelessProtocol.complete(
                    pending.request().method(), json.convertValue(complete, new JsonObject()));
        }
        if (pending.settle()) {
            pending.channel().respond(new Outgoing.Result(pending.id(), complete));
        }
    }

    private static void fail(PendingRequest pending, RpcError error) {
        if (pending.settle()) {
            pending.channel().respond(new Outgoing.Failure(pending.id(), error));
        }
    }

    /** Ends a session: interrupts its pending requests and responds to its subscriptions. */
    public void close(ClientSession session) {
        endSubscriptions(session);
        session.pending().forEach(PendingRequest::interrupt);
    }

    /** Responds to the subscriptions of a session. */
    public void endSubscriptions(ClientSession session) {
        for (PendingRequest pending : session.pending()) {
            if (pending.request().method().equals(StatelessProtocol.LISTEN)) {
                respond(pending, StatelessProtocol.endOfSubscription(pending.id()));
            }
        }
    }

    /** Waits for running tool calls, interrupts those that exceed the grace period, and stops. */
    public void stop(Duration grace) {
        threads.finish(grace, TIME_TO_STOP);
    }

    private static final class JsonObject extends TypeRef<Map<String, Object>> {}
}
