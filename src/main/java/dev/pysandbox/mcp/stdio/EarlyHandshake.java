package dev.pysandbox.mcp.stdio;

import dev.pysandbox.mcp.ServerIdentity;
import dev.pysandbox.mcp.StructuredContentWorkaround;
import dev.pysandbox.mcp.jsonrpc.PlainJson;
import dev.pysandbox.mcp.stdio.LineReader.Line;
import dev.pysandbox.mcp.tools.ToolText;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Responds to the first requests of a client ({@code initialize}, {@code ping}, {@code tools/list}) without the SDK and
 * Jackson, which take longer to load than some clients wait.
 *
 * <p>It handles only usual requests, exactly as the SDK would; the others wait for the SDK. It uses no lambda, because
 * the first lambda costs 30 ms.
 */
final class EarlyHandshake {
    private static final String META_PREFIX = "io.modelcontextprotocol/";
    private static final List<String> MEMBERS = List.of("jsonrpc", "id", "method", "params");
    private static final List<String> PARAMS = List.of("protocolVersion", "clientInfo", "capabilities", "_meta");

    private final List<ToolText> tools;
    private final boolean resources;
    private Optional<String> version = Optional.empty();
    private Optional<String> client = Optional.empty();
    private boolean listed;

    /** @param resources whether the server offers kept files as resources */
    EarlyHandshake(List<ToolText> tools, boolean resources) {
        this.tools = List.copyOf(tools);
        this.resources = resources;
    }

    /** Returns the protocol revision of the client, once it has sent {@code initialize}. */
    Optional<String> version() {
        return version;
    }

    /** Returns the name of the client, once it has sent {@code initialize}. */
    Optional<String> client() {
        return client;
    }

    boolean listed() {
        return listed;
    }

    /** Responds to a line; returns false, without a response, if the line must wait for the SDK. */
    boolean respond(Line line, LineWriter out) {
        Optional<Map<String, Object>> message =
                line instanceof Line.Text text ? PlainJson.read(text.value()) : Optional.empty();
        if (message.isEmpty() || !isPlain(message.get())) {
            return false;
        }
        Optional<Object> id = Optional.ofNullable(message.get().get("id"));
        Map<String, Object> params = members(message.get(), "params");
        String method = String.valueOf(message.get().get("method"));
        if (id.isEmpty()) {
            return method.equals("notifications/initialized");
        }
        Optional<Map<String, Object>> result = result(method, params);
        if (result.isEmpty()) {
            return false;
        }
        Map<String, Object> response = new LinkedHashMap<>();
        response.put("jsonrpc", "2.0");
        response.put("id", id.get());
        response.put("result", result.get());
        StringBuilder json = new StringBuilder();
        PlainJson.write(response, json);
        out.write(json.toString());
        return true;
    }

    private static boolean isPlain(Map<String, Object> message) {
        Object id = message.getOrDefault("id", "");
        return MEMBERS.containsAll(message.keySet())
                && "2.0".equals(message.get("jsonrpc"))
                && (id instanceof String || id instanceof PlainJson.Whole)
                && message.getOrDefault("params", Map.of()) instanceof Map<?, ?>
                && arePlain(members(message, "params"));
    }

    /** Returns false also for a message of the stateless revision. */
    private static boolean arePlain(Map<String, Object> params) {
        for (String name : List.of("clientInfo", "capabilities", "_meta")) {
            if (!(params.getOrDefault(name, Map.of()) instanceof Map<?, ?>)) {
                return false;
            }
        }
        for (String name : members(params, "_meta").keySet()) {
            if (name.startsWith(META_PREFIX)) {
                return false;
            }
        }
        return PARAMS.containsAll(params.keySet());
    }

    private static Map<String, Object> members(Map<String, Object> object, String name) {
        return PlainJson.object(object.get(name)).orElse(Map.of());
    }

    private Optional<Map<String, Object>> result(String method, Map<String, Object> params) {
        return switch (method) {
            case "ping" -> Optional.of(Map.of());
            case "tools/list" -> {
                listed = true;
                yield Optional.of(tools());
            }
            case "initialize" ->
                params.get("protocolVersion") instanceof String wanted
                        ? Optional.of(initialized(wanted, members(params, "clientInfo")))
                        : Optional.empty();
            default -> Optional.empty();
        };
    }

    private Map<String, Object> initialized(String wanted, Map<String, Object> clientInfo) {
        version = Optional.of(wanted);
        client = clientInfo.get("name") instanceof String name ? Optional.of(name) : Optional.empty();
        List<String> known = ServerIdentity.HANDSHAKE_VERSIONS;
        Map<String, Object> capabilities = new LinkedHashMap<>();
        capabilities.put("logging", Map.of());
        if (resources) {
            capabilities.put("resources", Map.of("subscribe", false, "listChanged", false));
        }
        capabilities.put("tools", Map.of("listChanged", false));
        Map<String, Object> server = new LinkedHashMap<>();
        server.put("protocolVersion", known.contains(wanted) ? wanted : known.get(known.size() - 1));
        server.put("capabilities", capabilities);
        server.put("serverInfo", ServerIdentity.info());
        server.put("instructions", ServerIdentity.INSTRUCTIONS);
        return server;
    }

    private Map<String, Object> tools() {
        Object[] described = new Object[tools.size()];
        for (int i = 0; i < described.length; i++) {
            described[i] = tool(tools.get(i));
        }
        return Map.of("tools", List.of(described));
    }

    private Map<String, Object> tool(ToolText text) {
        Map<String, Object> tool = new LinkedHashMap<>();
        tool.put("name", text.name());
        tool.put("description", text.description());
        for (Map.Entry<String, Object> part :
                PlainJson.read(text.schemas()).orElseThrow().entrySet()) {
            boolean annotations = part.getKey().equals("annotations");
            tool.put(annotations ? part.getKey() : part.getKey() + "Schema", part.getValue());
        }
        if (StructuredContentWorkaround.isFor(client)) {
            tool.remove("outputSchema");
        }
        return tool;
    }
}
