package dev.pysandbox.mcp;

import dev.pysandbox.mcp.jsonrpc.Incoming;
import dev.pysandbox.mcp.jsonrpc.Incoming.Request;
import dev.pysandbox.mcp.jsonrpc.RpcError;
import dev.pysandbox.mcp.tools.LogLevel;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The rules of the stateless protocol revision: each request has its version and capabilities in {@code _meta}, each
 * result its type and server.
 *
 * @see <a href="https://modelcontextprotocol.io/specification/2026-07-28/basic">MCP 2026-07-28</a>
 */
public final class StatelessProtocol {
    static final String DISCOVER = "server/discover";
    static final String LISTEN = "subscriptions/listen";

    private static final String PREFIX = "io.modelcontextprotocol/";
    public static final String VERSION = PREFIX + "protocolVersion";
    private static final String CAPABILITIES = PREFIX + "clientCapabilities";
    private static final String CLIENT = PREFIX + "clientInfo";
    private static final String LOG_LEVEL = PREFIX + "logLevel";
    private static final String SERVER = PREFIX + "serverInfo";
    private static final String SUBSCRIPTION = PREFIX + "subscriptionId";
    private static final String RESOURCES = "resources/list";
    private static final String TEMPLATES = "resources/templates/list";
    private static final Set<String> METHODS =
            Set.of(DISCOVER, LISTEN, "tools/list", "tools/call", RESOURCES, TEMPLATES, KeptResources.READ);
    private static final Set<String> CACHEABLE =
            Set.of(DISCOVER, "tools/list", RESOURCES, TEMPLATES, KeptResources.READ);

    private StatelessProtocol() {}

    /** Whether a request uses the stateless revision; {@code initialize} never does. */
    public static boolean owns(Request request) {
        boolean unmistakable =
                request.method().equals(DISCOVER) || request.method().equals(LISTEN);
        return unmistakable
                || (request.meta().containsKey(VERSION) && !request.method().equals("initialize"));
    }

    /** Returns the error of a request that breaks the rules of the revision or has a method that it does not know. */
    public static Optional<RpcError> refuse(Request request) {
        Map<String, Object> meta = request.meta();
        if (!(meta.get(VERSION) instanceof String version)) {
            return Optional.of(RpcError.invalidParams("_meta must hold the string '" + VERSION + "'."));
        }
        if (!ServerIdentity.STATELESS_VERSIONS.contains(version)) {
            return Optional.of(unsupported(version));
        }
        if (Incoming.object(meta.get(CAPABILITIES)).isEmpty()) {
            return Optional.of(RpcError.invalidParams("_meta must hold the object '" + CAPABILITIES + "'."));
        }
        if (meta.containsKey(LOG_LEVEL) && logLevel(request).isEmpty()) {
            return Optional.of(RpcError.invalidParams("_meta holds an unknown '" + LOG_LEVEL + "'."));
        }
        if (!METHODS.contains(request.method())) {
            return Optional.of(RpcError.methodNotFound(request.method()));
        }
        return Optional.empty();
    }

    public static RpcError unsupported(String version) {
        return new RpcError(
                RpcError.UNSUPPORTED_PROTOCOL_VERSION,
                "Unsupported protocol version",
                Map.of("supported", ServerIdentity.STATELESS_VERSIONS, "requested", version));
    }

    /** Returns the lowest level of log messages that the request asks for; empty if it asks for none. */
    static Optional<LogLevel> logLevel(Request request) {
        return LogLevel.of(request.meta().get(LOG_LEVEL));
    }

    static Optional<String> client(Request request) {
        return Incoming.name(request.meta().get(CLIENT));
    }

    static Map<String, Object> discovery(boolean resources) {
        Map<String, Object> result = new LinkedHashMap<>();
        result.put("supportedVersions", ServerIdentity.STATELESS_VERSIONS);
        Map<String, Object> capabilities = new LinkedHashMap<>(Map.of("tools", Map.of(), "logging", Map.of()));
        if (resources) {
            capabilities.put("resources", Map.of());
        }
        result.put("capabilities", capabilities);
        result.put("instructions", ServerIdentity.INSTRUCTIONS);
        return result;
    }

    /** Adds the members of this revision to a result. */
    static Map<String, Object> complete(String method, Map<String, Object> result) {
        Map<String, Object> completed = new LinkedHashMap<>();
        completed.put("resultType", "complete");
        completed.putAll(result);
        if (CACHEABLE.contains(method)) {
            // Each run may add files.
            completed.put(
                    "ttlMs", method.equals(RESOURCES) ? 0 : Duration.ofHours(1).toMillis());
            // Descriptions may name folders of this machine.
            completed.put("cacheScope", "private");
        }
        Map<String, Object> meta =
                new LinkedHashMap<>(Incoming.object(result.get("_meta")).orElse(Map.of()));
        meta.put(SERVER, ServerIdentity.info());
        completed.put("_meta", meta);
        return completed;
    }

    /** Acknowledges a subscription without any notification: the tools do not change while the server runs. */
    static Map<String, Object> acknowledgement(Object subscription) {
        return Map.of("_meta", Map.of(SUBSCRIPTION, subscription), "notifications", Map.of());
    }

    static Map<String, Object> endOfSubscription(Object subscription) {
        return Map.of("_meta", Map.of(SUBSCRIPTION, subscription));
    }
}
