package dev.pysandbox.mcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pysandbox.mcp.render.ResultTextTest;
import dev.pysandbox.mcp.tools.SandboxTool;
import dev.pysandbox.mcp.tools.SandboxTools;
import dev.pysandbox.mcp.tools.ToySandbox;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(60)
final class StructuredContentWorkaroundTest {
    private static final List<SandboxTool> TOOLS =
            new ToySandbox(request -> ResultTextTest.result().build()).tools();

    private static String request(String method, String params) {
        return "{'jsonrpc':'2.0','id':1,'method':'%s','params':{%s}}"
                .formatted(method, params)
                .replace('\'', '"');
    }

    /** @param beforeSdk whether the handshake ends before the SDK is loaded */
    @ParameterizedTest
    @CsvSource({
        "codex-mcp-client, false, true",
        "codex-mcp-client, true, true",
        "opencode, true, true",
        "claude-code, false, false",
        "claude-code, true, false"
    })
    void whoWouldLoseImagesGetsTheContentAlone(String name, boolean beforeSdk, boolean contentOnly) {
        try (TestClient client =
                new TestClient(TOOLS, beforeSdk ? Optional.of(SandboxTools.texts(List.of())) : Optional.empty())) {
            client.ask(request(
                    "initialize",
                    "'protocolVersion':'2025-06-18','capabilities':{},'clientInfo':{'title':{},'name':'" + name
                            + "','version':'1'}"));
            JsonNode tool = client.ask(request("tools/list", "")).at("/result/tools/0");
            assertEquals(!contentOnly, tool.has("outputSchema"), tool::toString);
            assertTrue(tool.has("inputSchema") && tool.has("annotations"), tool::toString);
            JsonNode result = client.ask(request("tools/call", "'name':'execute_python','arguments':{'script':'pass'}"))
                    .get("result");
            assertEquals(!contentOnly, result.has("structuredContent"), result::toString);
            assertEquals("text", result.at("/content/0/type").asText());
            assertFalse(result.get("isError").asBoolean());
        }
    }

    @Test
    void theStatelessEraNamesTheClientEachTime() {
        String meta = "'_meta':{'io.modelcontextprotocol/protocolVersion':'2026-07-28',"
                + "'io.modelcontextprotocol/clientCapabilities':{},"
                + "'io.modelcontextprotocol/clientInfo':{'name':'%s','version':'1'}}";
        String call = ",'name':'execute_python','arguments':{'script':'pass'}";
        try (TestClient client = new TestClient(TOOLS)) {
            JsonNode lost = client.ask(request("tools/call", meta.formatted("opencode") + call));
            assertFalse(lost.get("result").has("structuredContent"), lost::toString);
            JsonNode kept = client.ask(request("tools/call", meta.formatted("other") + call));
            assertTrue(kept.get("result").has("structuredContent"), kept::toString);
        }
    }
}
