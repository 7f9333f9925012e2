package dev.pysandbox.mcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.pysandbox.mcp.jsonrpc.Incoming.Request;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class SdkDispatcherTest {
    @Test
    void theSdkGetsNoTextOfAHandshakeThatItCouldLog() {
        String hostile = "2025-06-18\r\nforged\u001b[31m";
        Map<String, Object> params = SdkDispatcher.params(new Request(
                1,
                "initialize",
                Map.of("protocolVersion", hostile, "clientInfo", Map.of("name", hostile, "version", hostile))));
        assertFalse(params.toString().contains("forged"), params::toString);
        assertEquals("2025-11-25", params.get("protocolVersion"));
    }

    @Test
    void theSdkGetsAKnownRevision() {
        Request request = new Request(1, "initialize", Map.of("protocolVersion", "2025-03-26"));
        assertEquals("2025-03-26", SdkDispatcher.params(request).get("protocolVersion"));
    }
}
