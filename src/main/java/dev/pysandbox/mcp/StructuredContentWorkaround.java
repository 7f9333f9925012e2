package dev.pysandbox.mcp;

import dev.pysandbox.mcp.jsonrpc.Incoming;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Removes {@code structuredContent} and output schemas for clients that give their model the structured content instead
 * of the content, so that the model would never see an image. The text of the content has the same information.
 *
 * @see <a href="https://github.com/openai/codex/issues/4819">Codex</a>
 * @see <a href="https://github.com/anomalyco/opencode/pull/32868">opencode</a>
 */
public final class StructuredContentWorkaround {
    private static final Set<String> CLIENTS = Set.of("codex-mcp-client", "opencode");

    private StructuredContentWorkaround() {}

    /** Whether the client with this name needs the workaround. */
    public static boolean isFor(Optional<String> client) {
        return client.isPresent() && CLIENTS.contains(client.get());
    }

    public static Map<String, Object> of(Map<String, Object> result) {
        Map<String, Object> fitting = without("structuredContent", result);
        if (fitting.get("tools") instanceof List<?> tools) {
            fitting.put(
                    "tools",
                    tools.stream().map(StructuredContentWorkaround::tool).toList());
        }
        return fitting;
    }

    private static Object tool(Object tool) {
        return Incoming.object(tool)
                .map(members -> without("outputSchema", members))
                .orElseThrow();
    }

    private static Map<String, Object> without(String member, Map<String, Object> members) {
        Map<String, Object> rest = new LinkedHashMap<>(members);
        rest.remove(member);
        return rest;
    }
}
