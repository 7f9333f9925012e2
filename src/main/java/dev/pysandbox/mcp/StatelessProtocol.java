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
 * What the stateless revision of the protocol asks for beyond the older ones: each request names its version and
 * capabilities in {@code _meta}, each result its type and server.
 *
 * @see <a href="https://modelcontextprotocol.io/specification/2026-07-28/basic">MCP 2026-07-28</a>
 */
final class StatelessProtocol {
    static final String DISCOVER = "server/discover";
    static final String LISTEN = "subscriptions/listen";

    private static final String PREFIX = "io.modelcontextprotocol/";
    private static final String VERSION = PREFIX + "protocolVersion";
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

    /** Whether a request is of this era; an {@code initialize} never is. */
    static boolean owns(Request request) {
        boolean unmistakable =
                request.method().equals(DISCOVER) || request.method().equals(LISTEN);
        return unmistakable
                || (request.meta().containsKey(VERSION) && !request.method().equals("initialize"));
    }

    static Optional<RpcError> refuse(Request request) {
        Map<String, Object> meta = request.meta();
        if (!(meta.get(VERSION) instanceof String version)) {
            return Optional.of(RpcError.invalidParams("_meta must hold the string '" + VERSION + "'."));
        }
        if (!ServerIdentity.STATELESS_VERSIONS.contains(version)) {
            return Optional.of(new RpcError(
                    RpcError.UNSUPPORTED_PROTOCOL_VERSION,
                    "Unsupported protocol version",
                    Map.of("supported", ServerIdentity.STATELESS_VERSIONS, "requested", version)));
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

    /** The least level of log messages that the request asks for; empty where it wants none. */
    static Optional<LogLevel> logLevel(Request request) {
        return LogLevel.of(request.meta().get(LOG_LEVEL));
    }

    /** The name of the client that sent the request. */
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

    /** A result of an older revision with what this one adds. */
    static Map<String, Object> complete(String method, Map<String, Object> result) {
        Map<String, Object> completed = new LinkedHashMap<>();
        completed.put("resultType", "complete");
        completed.putAll(result);
        if (CACHEABLE.contains(method)) {
            // Each run may add a file to the list.
            completed.put(
                    "ttlMs", method.equals(RESOURCES) ? 0 : Duration.ofHours(1).toMillis());
            // Descriptions may name folders of this user's machine.
            completed.put("cacheScope", "private");
        }
        Map<String, Object> meta =
                new LinkedHashMap<>(Incoming.object(result.get("_meta")).orElse(Map.of()));
        meta.put(SERVER, ServerIdentity.info());
        completed.put("_meta", meta);
        return completed;
    }

    /** Our tools never change while the server runs, so that of all notifications asked for none is promised. */
    static Map<String, Object> acknowledgement(Object subscription) {
        return Map.of("_meta", Map.of(SUBSCRIPTION, subscription), "notifications", Map.of());
    }

    static Map<String, Object> endOfSubscription(Object subscription) {
        return Map.of("_meta", Map.of(SUBSCRIPTION, subscription));
    }
}
