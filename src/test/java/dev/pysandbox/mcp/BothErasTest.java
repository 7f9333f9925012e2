package dev.pysandbox.mcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pysandbox.mcp.tools.LogLevel;
import dev.pysandbox.mcp.tools.SandboxTool;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
final class BothErasTest {
    private static final String META = "'io.modelcontextprotocol/protocolVersion':'2026-07-28',"
            + "'io.modelcontextprotocol/clientCapabilities':{}";
    private static final String SERVER = "/_meta/io.modelcontextprotocol~1serverInfo/name";

    private static TestClient connect(SandboxTool... tools) {
        return new TestClient(tools.length == 0 ? List.of(ToyTool.ECHO) : List.of(tools));
    }

    private static String request(String method, String params) {
        return "{'jsonrpc':'2.0','id':1,'method':'%s','params':{%s}}"
                .formatted(method, params)
                .replace('\'', '"');
    }

    private static String stateless(String method, String meta, String more) {
        return request(method, "'_meta':{" + meta + "}" + more);
    }

    private static JsonNode initialize(TestClient client, String version) {
        return client.ask(request(
                        "initialize",
                        "'protocolVersion':'" + version + "','capabilities':{},"
                                + "'clientInfo':{'name':'test','version':'1'}"))
                .get("result");
    }

    @ParameterizedTest
    @ValueSource(strings = {"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"})
    void agreesToEachRevisionWithAHandshake(String version) {
        try (TestClient client = connect()) {
            JsonNode result = initialize(client, version);
            assertEquals(version, result.get("protocolVersion").asText());
            assertEquals("python-sandbox", result.at("/serverInfo/name").asText());
            assertFalse(result.at("/serverInfo/version").asText().isEmpty());
            assertTrue(result.at("/capabilities/tools").isObject());
            assertTrue(result.at("/capabilities/logging").isObject());
            assertFalse(result.get("instructions").asText().isEmpty());
            JsonNode list = client.ask(request("tools/list", "")).get("result");
            assertFalse(list.has("resultType"));
            assertEquals("echo", list.at("/tools/0/name").asText());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"2031-01-01", "2026-07-28", "", "nonsense"})
    void offersItsLatestForAnUnknownRevision(String version) {
        try (TestClient client = connect()) {
            assertEquals(
                    "2025-11-25",
                    initialize(client, version).get("protocolVersion").asText());
        }
    }

    @Test
    void takesAnIntroductionThatIsTooShortOrOddlyShaped() {
        try (TestClient client = connect()) {
            assertTrue(client.ask(request("initialize", "'protocolVersion':'2025-06-18'"))
                    .has("result"));
            assertTrue(client.ask(request(
                            "initialize",
                            "'protocolVersion':'2025-06-18','capabilities':{'roots':7,'sampling':[]},"
                                    + "'clientInfo':{'name':5,'icons':'x'}"))
                    .has("result"));
        }
    }

    @ParameterizedTest
    @CsvSource({"2024-11-05,true", "2025-03-26,true", "2025-06-18,false", "2025-11-25,false"})
    void knowsBatchesInTheRevisionsThatHaveThem(String version, boolean known) {
        try (TestClient client = connect()) {
            initialize(client, version);
            JsonNode answer = client.ask("[" + request("ping", "") + "]");
            assertEquals(known, answer.isArray(), answer::toString);
            assertEquals(known ? 0 : -32600, answer.at("/error/code").asInt());
        }
    }

    @Test
    void discovers() {
        try (TestClient client = connect()) {
            JsonNode result = client.ask(stateless("server/discover", META, "")).get("result");
            assertEquals("complete", result.get("resultType").asText());
            assertEquals("[\"2026-07-28\"]", result.get("supportedVersions").toString());
            assertTrue(result.at("/capabilities/tools").isObject());
            assertTrue(result.get("ttlMs").isIntegralNumber());
            assertEquals("private", result.get("cacheScope").asText());
            assertEquals("python-sandbox", result.at(SERVER).asText());
            assertFalse(result.get("instructions").asText().isEmpty());
        }
    }

    @Test
    void listsAndCallsWithoutAHandshake() {
        try (TestClient client = connect()) {
            JsonNode list = client.ask(stateless("tools/list", META, "")).get("result");
            assertEquals("complete", list.get("resultType").asText());
            assertTrue(list.get("ttlMs").isIntegralNumber());
            assertEquals("private", list.get("cacheScope").asText());
            assertEquals("python-sandbox", list.at(SERVER).asText());
            assertEquals("echo", list.at("/tools/0/name").asText());

            JsonNode call = client.ask(stateless("tools/call", META, ",'name':'echo','arguments':{'text':'hi'}"))
                    .get("result");
            assertEquals("complete", call.get("resultType").asText());
            assertFalse(call.has("ttlMs"));
            assertEquals("hi", call.at("/content/0/text").asText());
            assertEquals("python-sandbox", call.at(SERVER).asText());
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '^', textBlock = """
            server/discover  | -32602 |
            server/discover  | -32602 | 'io.modelcontextprotocol/protocolVersion':5
            server/discover  | -32602 | 'io.modelcontextprotocol/protocolVersion':'2026-07-28'
            tools/list       | -32602 | 'io.modelcontextprotocol/protocolVersion':'2026-07-28'
            tools/list       | -32022 | 'io.modelcontextprotocol/protocolVersion':'2025-11-25'
            ping             | -32601 | 'io.modelcontextprotocol/protocolVersion':'2026-07-28','io.modelcontextprotocol/clientCapabilities':{}
            logging/setLevel | -32601 | 'io.modelcontextprotocol/protocolVersion':'2026-07-28','io.modelcontextprotocol/clientCapabilities':{}
            tools/list       | -32602 | 'io.modelcontextprotocol/protocolVersion':'2026-07-28','io.modelcontextprotocol/clientCapabilities':{},'io.modelcontextprotocol/logLevel':'loud'
            subscriptions/listen | -32602 | 'io.modelcontextprotocol/protocolVersion':'2026-07-28','io.modelcontextprotocol/clientCapabilities':{}
            """)
    void refusesWhatTheStatelessRevisionForbids(String method, int code, String meta) {
        try (TestClient client = connect()) {
            JsonNode answer = client.ask(stateless(method, meta == null ? "" : meta, ""));
            assertEquals(code, answer.at("/error/code").asInt(), answer::toString);
        }
    }

    @Test
    void namesTheSupportedVersionsToAClientFromTheFuture() {
        try (TestClient client = connect()) {
            JsonNode error = client.ask(stateless("tools/list", META.replace("2026", "2036"), ""))
                    .get("error");
            assertEquals(-32022, error.get("code").asInt());
            assertEquals("[\"2026-07-28\"]", error.at("/data/supported").toString());
            assertEquals("2036-07-28", error.at("/data/requested").asText());
        }
    }

    @Test
    void logsForTheRequestThatAsksForIt() {
        ToyTool talks = new ToyTool("talk", (arguments, caller) -> {
            caller.log(LogLevel.INFO, "by the way");
            return "done";
        });
        try (TestClient client = connect(talks)) {
            client.ask(request("logging/setLevel", "'level':'debug'"));
            JsonNode silent = client.ask(stateless("tools/call", META, ",'name':'talk'"));
            assertTrue(silent.has("result"), silent::toString);
            JsonNode log = client.ask(
                    stateless("tools/call", META + ",'io.modelcontextprotocol/logLevel':'info'", ",'name':'talk'"));
            assertEquals("by the way", log.at("/params/data").asText());
            assertTrue(client.next().has("result"));
        }
    }

    @Test
    void keepsASubscriptionOpenUntilTheEnd() {
        TestClient client = connect();
        JsonNode acknowledged =
                client.ask(stateless("subscriptions/listen", META, ",'notifications':{'toolsListChanged':true}"));
        assertEquals(
                "notifications/subscriptions/acknowledged",
                acknowledged.get("method").asText());
        assertEquals(
                1,
                acknowledged
                        .at("/params/_meta/io.modelcontextprotocol~1subscriptionId")
                        .asInt());
        assertEquals(0, acknowledged.at("/params/notifications").size());
        client.assertAlive();
        client.close();
        JsonNode end = client.next();
        assertEquals("complete", end.at("/result/resultType").asText());
        assertEquals(
                1,
                end.at("/result/_meta/io.modelcontextprotocol~1subscriptionId").asInt());
    }

    @Test
    void aCancelledSubscriptionEndsInSilence() {
        TestClient client = connect();
        client.ask(stateless("subscriptions/listen", META, ",'notifications':{}"));
        client.send("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":1}}");
        client.assertAlive();
        client.close();
        assertTrue(client.saidNothingMore());
    }
}
