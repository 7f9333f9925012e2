package dev.pysandbox.mcp;

import dev.pysandbox.mcp.Incoming.Request;
import io.modelcontextprotocol.common.McpTransportContext;
import io.modelcontextprotocol.json.TypeRef;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCMessage;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCNotification;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCRequest;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse;
import io.modelcontextprotocol.spec.McpServerSession;
import io.modelcontextprotocol.spec.McpServerTransport;
import io.modelcontextprotocol.spec.McpServerTransportProvider;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

/**
 * Puts the SDK's server on a {@link Connection}. The SDK sees ids of our own and a session that is initialized from
 * the start, so that neither a client's ids nor the order of its messages can confuse it.
 */
final class StdioTransport implements McpServerTransportProvider, McpServerTransport, Dispatcher {
    private static final Logger LOG = LoggerFactory.getLogger(StdioTransport.class);
    private static final String CALLER = "caller";

    private final Jackson2Mapper json;
    private final Connection connection;
    private final AtomicLong lastId = new AtomicLong();
    private final Map<Object, JSONRPCResponse> responses = new ConcurrentHashMap<>();
    private @Nullable McpServerSession session;

    StdioTransport(Jackson2Mapper json, LineWriter out, Set<String> tools, Optional<KeptResources> resources) {
        this.json = json;
        this.connection = new Connection(out, json, new ParamsCheck(tools), this, resources);
    }

    Connection connection() {
        return connection;
    }

    /** The one who waits for the call that a tool works on. */
    static Caller caller(McpTransportContext context) {
        return context.get(CALLER) instanceof Caller caller ? caller : Caller.SILENT;
    }

    @Override
    public void setSessionFactory(McpServerSession.Factory factory) {
        McpServerSession created = factory.create(this);
        session = created;
        JSONRPCRequest initialize = new JSONRPCRequest(
                McpSchema.METHOD_INITIALIZE,
                lastId.incrementAndGet(),
                initializeParams(latest(ServerIdentity.HANDSHAKE_VERSIONS), Map.of()));
        created.handle(initialize).block();
        created.handle(new JSONRPCNotification(McpSchema.METHOD_NOTIFICATION_INITIALIZED))
                .block();
        responses.clear();
    }

    @Override
    public Object dispatch(Request request, Caller caller) throws RpcException {
        McpServerSession current = session;
        if (current == null) {
            throw new IllegalStateException("no server was built on this transport");
        }
        long id = lastId.incrementAndGet();
        // Everything happens on this thread: the server is built for immediate execution.
        current.handle(new JSONRPCRequest(request.method(), id, params(request)))
                .contextWrite(context ->
                        context.put(McpTransportContext.KEY, McpTransportContext.create(Map.of(CALLER, caller))))
                .subscribe();
        JSONRPCResponse response = responses.remove(id);
        if (response == null) {
            throw new IllegalStateException("the SDK gave no answer");
        }
        if (response.error() != null) {
            throw failure(request, response.error());
        }
        return response.result();
    }

    private static RpcException failure(Request request, JSONRPCResponse.JSONRPCError error) {
        if (error.code() == RpcError.METHOD_NOT_FOUND) {
            return new RpcException(RpcError.methodNotFound(request.method()));
        }
        // Requests were checked before: whatever else the SDK finds wrong is a fault of ours.
        LOG.error("{}: {} {}", request.method(), error.message(), error.data());
        return new RpcException(RpcError.internal());
    }

    /** What the SDK gets to see: of a client's introduction only what can't be malformed, for we need no more. */
    private static Map<String, Object> params(Request request) {
        if (!request.method().equals(McpSchema.METHOD_INITIALIZE)) {
            return request.params();
        }
        Map<String, Object> info =
                Incoming.object(request.params().get("clientInfo")).orElse(Map.of());
        return initializeParams(String.valueOf(request.params().get("protocolVersion")), info);
    }

    private static Map<String, Object> initializeParams(String version, Map<String, Object> info) {
        Map<String, Object> params = new HashMap<>();
        params.put("protocolVersion", version);
        params.put("capabilities", Map.of());
        params.put("clientInfo", Map.of("name", text(info.get("name")), "version", text(info.get("version"))));
        return params;
    }

    private static String text(@Nullable Object value) {
        return value instanceof String text && !text.isBlank() ? text : "unknown";
    }

    private static String latest(List<String> versions) {
        return versions.get(versions.size() - 1);
    }

    @Override
    public Mono<Void> sendMessage(JSONRPCMessage message) {
        return Mono.fromRunnable(() -> {
            if (message instanceof JSONRPCResponse response) {
                responses.put(response.id(), response);
            }
        });
    }

    @Override
    @SuppressWarnings("unchecked") // the SDK asks for a T by its type
    public <T> T unmarshalFrom(Object data, TypeRef<T> type) {
        // On the way of every call, where Jackson would take a third of a millisecond; ParamsCheck has seen it.
        if (type.getType() == CallToolRequest.class && data instanceof Map<?, ?> params) {
            return (T) new CallToolRequest(
                    String.valueOf(params.get("name")),
                    Incoming.object(params.get("arguments")).orElse(Map.of()),
                    Incoming.object(params.get("_meta")).orElse(Map.of()));
        }
        return json.convertValue(data, type);
    }

    @Override
    public List<String> protocolVersions() {
        return ServerIdentity.HANDSHAKE_VERSIONS;
    }

    @Override
    public Mono<Void> notifyClients(String method, Object params) {
        return Mono.empty();
    }

    @Override
    public Mono<Void> closeGracefully() {
        return Mono.empty();
    }

    @Override
    public void close() {}
}
