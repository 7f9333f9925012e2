package dev.pysandbox.mcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pysandbox.mcp.jsonrpc.Incoming;
import dev.pysandbox.mcp.jsonrpc.Jackson2Mapper;
import dev.pysandbox.mcp.stdio.StdioServer;
import dev.pysandbox.mcp.tools.LogLevel;
import dev.pysandbox.mcp.tools.SandboxTool;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(60)
final class McpServerTest {
    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch released = new CountDownLatch(1);
    private final CountDownLatch interrupted = new CountDownLatch(1);
    private final List<SandboxTool> tools =
            List.of(ToyTool.ECHO, ToyTool.FAIL, ToyTool.OVERFLOW, ToyTool.waiting(begun, released, interrupted));

    private static String json(String text) {
        return text.replace('\'', '"');
    }

    private static String call(Object id, String tool, String arguments) {
        return json("{'jsonrpc':'2.0','id':" + id + ",'method':'tools/call','params':{'name':'" + tool
                + "','arguments':" + arguments + "}}");
    }

    private static String cancel(Object id) {
        return json("{'jsonrpc':'2.0','method':'notifications/cancelled','params':{'requestId':" + id + "}}");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '^', textBlock = """
            {                                                                             | -32700 | null
            nonsense                                                                      | -32700 | null
            {} {}                                                                         | -32700 | null
            {"jsonrpc":"2.0","id":1,"method":"ping"} x                                    | -32700 | null
            NaN                                                                           | -32700 | null
            null                                                                          | -32600 | null
            5                                                                             | -32600 | null
            "ping"                                                                        | -32600 | null
            []                                                                            | -32600 | null
            {}                                                                            | -32600 | null
            {"jsonrpc":"2.0"}                                                             | -32600 | null
            {"jsonrpc":"1.0","id":7,"method":"ping"}                                      | -32600 | 7
            {"id":7,"method":"ping"}                                                      | -32600 | 7
            {"jsonrpc":"2.0","id":null,"method":"ping"}                                   | -32600 | null
            {"jsonrpc":"2.0","id":1.5,"method":"ping"}                                    | -32600 | null
            {"jsonrpc":"2.0","id":true,"method":"ping"}                                   | -32600 | null
            {"jsonrpc":"2.0","id":[1],"method":"ping"}                                    | -32600 | null
            {"jsonrpc":"2.0","id":7,"method":5}                                           | -32600 | 7
            {"jsonrpc":"2.0","id":7}                                                      | -32600 | 7
            {"jsonrpc":"2.0","id":"a","method":"ping","params":[1]}                       | -32602 | "a"
            {"jsonrpc":"2.0","id":7,"method":"ping","params":"x"}                         | -32602 | 7
            {"jsonrpc":"2.0","id":7,"method":"nothing/known"}                             | -32601 | 7
            {"jsonrpc":"2.0","id":7,"method":"prompts/list"}                              | -32601 | 7
            {"jsonrpc":"2.0","id":7,"method":"tools/call"}                                | -32602 | 7
            {"jsonrpc":"2.0","id":7,"method":"tools/call","params":{}}                    | -32602 | 7
            {"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":5}}            | -32602 | 7
            {"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"no"}}         | -32602 | 7
            {"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"echo","arguments":[]}} | -32602 | 7
            {"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"echo","_meta":1}}      | -32602 | 7
            {"jsonrpc":"2.0","id":7,"method":"initialize"}                                | -32602 | 7
            {"jsonrpc":"2.0","id":7,"method":"initialize","params":{"protocolVersion":1}} | -32602 | 7
            {"jsonrpc":"2.0","id":7,"method":"initialize","params":{"protocolVersion":"x","clientInfo":2}} | -32602 | 7
            {"jsonrpc":"2.0","id":7,"method":"tools/list","params":{"cursor":"x"}}        | -32602 | 7
            {"jsonrpc":"2.0","id":7,"method":"logging/setLevel","params":{"level":"x"}}   | -32602 | 7
            {"jsonrpc":"2.0","id":7,"method":"logging/setLevel"}                          | -32602 | 7
            {"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"fail"}}       | -32603 | 7
            {"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"overflow"}}   | -32603 | 7
            """)
    void answersWithTheErrorThatALineDeservesAndGoesOn(String line, int code, String id) {
        try (TestClient client = new TestClient(tools)) {
            JsonNode answer = client.ask(line);
            assertEquals(code, answer.path("error").path("code").asInt(), answer::toString);
            assertTrue(answer.has("id"), answer::toString);
            assertEquals(id, answer.get("id").toString());
            String message = answer.path("error").path("message").asText();
            assertFalse(message.isBlank());
            assertFalse(message.contains("java") || message.contains("Exception"), message);
            client.assertAlive();
        }
    }

    @Test
    void saysOfAnAnswerThatWasCutOffThatItIsNone() {
        ToyTool cutOff = new ToyTool("cut_off", (arguments, caller) -> {
            throw new CancellationException("in the middle");
        });
        try (TestClient client = new TestClient(List.of(cutOff))) {
            JsonNode result = client.ask(call(1, "cut_off", "{}")).path("result");
            assertTrue(result.path("isError").asBoolean(), result::toString);
            String text = result.at("/content/0/text").asText();
            assertTrue(text.startsWith("Cancelled"), text);
        }
    }

    @Test
    void namesAnUnknownTool() {
        try (TestClient client = new TestClient(tools)) {
            JsonNode answer = client.ask(call(1, "no_such_tool", "{}"));
            assertEquals(
                    "Unknown tool: no_such_tool",
                    answer.path("error").path("message").asText());
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '^', nullValues = "-", textBlock = """
            ^^
            ^   \t ^
            ^\r^
            {"jsonrpc":"2.0","method":"notifications/initialized"}
            {"jsonrpc":"2.0","method":"notifications/unknown","params":5}
            {"jsonrpc":"2.0","method":"notifications/roots/list_changed"}
            {"jsonrpc":"2.0","method":"notifications/cancelled"}
            {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"unknown"}}
            {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":{"a":1}}}
            {"jsonrpc":"2.0","method":"tools/call","params":{"name":"echo"}}
            {"jsonrpc":"2.0","id":3,"result":{}}
            {"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"?"}}
            [{"jsonrpc":"2.0","method":"notifications/initialized"}]
            """)
    void staysSilentAboutWhatNeedsNoAnswer(String line) {
        try (TestClient client = new TestClient(tools)) {
            client.send(line);
            client.assertAlive();
        }
    }

    @Test
    void answersBadEncodingAndGoesOn() {
        try (TestClient client = new TestClient(tools)) {
            client.send(new byte[] {'"', (byte) 0xc3, (byte) 0x28, '"', '\n'});
            assertEquals(-32700, client.next().path("error").path("code").asInt());
            // Jackson would detect UTF-16 here.
            client.send("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n".getBytes(StandardCharsets.UTF_16BE));
            assertEquals(-32700, client.next().path("error").path("code").asInt());
            client.assertAlive();
        }
    }

    @Test
    void takesALineOverTheSdksLimit() {
        ToyTool measure = new ToyTool(
                "measure",
                (arguments, caller) ->
                        String.valueOf(String.valueOf(arguments.get("text")).length()));
        try (TestClient client = new TestClient(List.of(measure))) {
            int length = 21 << 20;
            JsonNode answer = client.ask(call(1, "measure", "{'text':'" + "x".repeat(length) + "'}"));
            assertEquals(length, answer.at("/result/content/0/text").asInt());
        }
    }

    @Test
    void refusesALineOfTooManyValues() {
        try (TestClient client = new TestClient(tools)) {
            JsonNode answer = client.ask("[" + "{},".repeat(Jackson2Mapper.MAX_TOKENS) + "{}]");
            assertEquals(-32700, answer.at("/error/code").asInt(), answer::toString);
            client.assertAlive();
        }
    }

    @Test
    void skipsALineThatIsTooLong() {
        try (TestClient client = new TestClient(tools)) {
            byte[] mebibyte = new byte[1 << 20];
            Arrays.fill(mebibyte, (byte) 'x');
            for (int i = 0; i <= Incoming.MAX_BYTES / mebibyte.length; i++) {
                client.send(mebibyte);
            }
            client.send("");
            assertEquals(-32600, client.next().path("error").path("code").asInt());
            client.assertAlive();
        }
    }

    @Test
    void worksBeforeInitialized() {
        try (TestClient client = new TestClient(tools)) {
            client.assertAlive();
            assertEquals(
                    4,
                    client.ask(json("{'jsonrpc':'2.0','id':1,'method':'tools/list'}"))
                            .at("/result/tools")
                            .size());
            assertEquals(
                    "hi",
                    client.ask(call(2, "echo", "{'text':'hi'}"))
                            .at("/result/content/0/text")
                            .asText());
        }
    }

    @Test
    void toleratesNullParamsByteOrderMarkAndHugeIds() {
        try (TestClient client = new TestClient(tools)) {
            JsonNode answer = client.ask("\uFEFF"
                    + json("{'jsonrpc':'2.0','id':123456789012345678901234567890,'method':'tools/list',"
                            + "'params':null}"));
            assertEquals("123456789012345678901234567890", answer.get("id").toString());
            assertTrue(answer.has("result"));
        }
    }

    @Test
    void answersTextWithHalfASurrogatePair() {
        try (TestClient client = new TestClient(tools)) {
            JsonNode answer = client.ask(call(1, "echo", "{'text':'a\\ud800b'}"));
            assertEquals("a?b", answer.at("/result/content/0/text").asText());
        }
    }

    @Test
    void aSlowCallDelaysNothing() {
        try (TestClient client = new TestClient(tools)) {
            client.send(call("'slow'", "wait", "{}"));
            awaitBegun();
            client.assertAlive();
            assertEquals(2, client.ask(call(2, "echo", "{}")).get("id").asInt());
            released.countDown();
            assertEquals("slow", client.next().get("id").asText());
        }
    }

    @Test
    void runsAHundredCallsAtOnce() {
        CountDownLatch all = new CountDownLatch(100);
        ToyTool together = new ToyTool("together", (arguments, caller) -> {
            all.countDown();
            try {
                return all.await(30, TimeUnit.SECONDS) ? "all" : "not all";
            } catch (InterruptedException e) {
                return "interrupted";
            }
        });
        try (TestClient client = new TestClient(List.of(together))) {
            for (int i = 0; i < 100; i++) {
                client.send(call(i, "together", "{}"));
            }
            Set<Integer> answered = new HashSet<>();
            for (int i = 0; i < 100; i++) {
                JsonNode answer = client.next();
                assertEquals("all", answer.at("/result/content/0/text").asText());
                answered.add(answer.get("id").asInt());
            }
            assertEquals(100, answered.size());
        }
    }

    @Test
    void refusesAnIdThatIsInUse() {
        try (TestClient client = new TestClient(tools)) {
            client.send(call(1, "wait", "{}"));
            awaitBegun();
            JsonNode second = client.ask(call(1, "echo", "{}"));
            assertEquals(-32600, second.path("error").path("code").asInt());
            // The string "1" and the number 1 are different ids.
            assertTrue(client.ask(call("'1'", "echo", "{}")).has("result"));
            released.countDown();
            assertTrue(client.next().has("result"));
            assertTrue(client.ask(call(1, "echo", "{}")).has("result"));
        }
    }

    @Test
    void cancellingInterruptsTheCallAndNothingIsAnswered() throws InterruptedException {
        try (TestClient client = new TestClient(tools)) {
            client.send(call(1, "wait", "{}"));
            awaitBegun();
            client.send(cancel("'1'"));
            client.assertAlive();
            assertEquals(1, interrupted.getCount());
            client.send(cancel(1));
            assertTrue(interrupted.await(30, TimeUnit.SECONDS));
            client.assertAlive();
            assertTrue(client.ask(call(1, "echo", "{}")).has("result"));
            client.endInput();
            client.awaitEnd();
            assertTrue(client.saidNothingMore());
        }
    }

    @Test
    void anInterruptDoesNotReachTheNextCall() throws InterruptedException {
        try (TestClient client = new TestClient(tools)) {
            client.send(call(1, "wait", "{}"));
            awaitBegun();
            client.send(cancel(1));
            assertTrue(interrupted.await(30, TimeUnit.SECONDS));
            released.countDown();
            for (int i = 2; i < 50; i++) {
                JsonNode answer = client.ask(call(i, "wait", "{}"));
                assertEquals("released", answer.at("/result/content/0/text").asText());
            }
        }
    }

    @Test
    void interruptsCallsThatOutliveTheInputAndStillAnswersThem() {
        TestClient client = new TestClient(tools);
        client.send(call(1, "wait", "{}"));
        client.endInput();
        client.awaitEnd();
        assertEquals("interrupted", client.next().at("/result/content/0/text").asText());
        assertTrue(client.saidNothingMore());
    }

    @Test
    void losesNoAnswerAtTheEndOfInput() {
        TestClient client = new TestClient(tools);
        for (int i = 0; i < 200; i++) {
            client.send(call(i, "echo", "{'text':'" + i + "'}"));
        }
        client.send(json("{'jsonrpc':'2.0','id':'no line end','method':'ping'}").getBytes(StandardCharsets.UTF_8));
        client.endInput();
        client.awaitEnd();
        Set<String> ids = new HashSet<>();
        for (int i = 0; i < 201; i++) {
            ids.add(client.next().get("id").asText());
        }
        assertEquals(201, ids.size());
    }

    @Test
    void endsWhenAskedTo() {
        try (TestClient client = new TestClient(tools)) {
            client.assertAlive();
            client.server().stop();
            client.awaitEnd();
        }
    }

    @Test
    void aBrokenOutputEndsTheServer() throws IOException, InterruptedException {
        PipedOutputStream toServer = new PipedOutputStream();
        PipedInputStream in = new PipedInputStream(toServer);
        OutputStream closed = new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                throw new IOException("Broken pipe");
            }
        };
        StdioServer server = new StdioServer(() -> tools, false, Optional.empty(), Optional.empty(), in, closed);
        Thread serving = new Thread(server::run);
        serving.start();
        toServer.write(json("{'jsonrpc':'2.0','id':1,'method':'ping'}\n").getBytes(StandardCharsets.UTF_8));
        toServer.flush();
        serving.join(30_000);
        assertFalse(serving.isAlive());
        toServer.close();
    }

    @Test
    void endsAtOnceWithoutInput() {
        new StdioServer(
                        () -> tools,
                        false,
                        Optional.empty(),
                        Optional.empty(),
                        new ByteArrayInputStream(new byte[0]),
                        OutputStream.nullOutputStream())
                .run();
    }

    @Test
    void answersABatchWithOneArray() {
        try (TestClient client = new TestClient(tools)) {
            JsonNode answers = client.ask(json("[{'jsonrpc':'2.0','id':1,'method':'ping'}, 5,"
                    + "{'jsonrpc':'2.0','method':'notifications/initialized'},"
                    + call(2, "echo", "{'text':'hi'}") + "," + call(3, "no", "{}") + "]"));
            assertEquals(4, answers.size(), answers::toString);
            Set<String> ids = new HashSet<>();
            answers.forEach(answer -> ids.add(answer.get("id").toString()));
            assertEquals(Set.of("1", "null", "2", "3"), ids);
            client.assertAlive();
        }
    }

    @Test
    void aBatchGoesOnWithoutItsCancelledMember() {
        try (TestClient client = new TestClient(tools)) {
            client.send("[" + call(1, "wait", "{}") + "," + call(2, "echo", "{}") + "]");
            awaitBegun();
            client.assertAlive();
            client.send(cancel(1));
            JsonNode answers = client.next();
            assertEquals(1, answers.size(), answers::toString);
            assertEquals(2, answers.get(0).get("id").asInt());
        }
    }

    @Test
    void sendsLogMessagesOnlyAboveTheLevelThatWasSet() {
        ToyTool talks = new ToyTool("talk", (arguments, caller) -> {
            caller.log(LogLevel.INFO, "by the way");
            caller.log(LogLevel.WARNING, "careful");
            return "done";
        });
        try (TestClient client = new TestClient(List.of(talks))) {
            assertEquals(1, client.ask(call(1, "talk", "{}")).get("id").asInt());
            client.ask(json("{'jsonrpc':'2.0','id':2,'method':'logging/setLevel','params':{'level':'warning'}}"));
            JsonNode log = client.ask(call(3, "talk", "{}"));
            assertEquals("notifications/message", log.get("method").asText());
            assertEquals("warning", log.at("/params/level").asText());
            assertEquals("careful", log.at("/params/data").asText());
            assertEquals(3, client.next().get("id").asInt());
        }
    }

    @Test
    void reportsProgressOnlyToThoseWhoGaveAToken() {
        ToyTool works = new ToyTool("work", (arguments, caller) -> {
            caller.progress("installing");
            return "done";
        });
        try (TestClient client = new TestClient(List.of(works))) {
            assertEquals(1, client.ask(call(1, "work", "{}")).get("id").asInt());
            JsonNode progress = client.ask(json("{'jsonrpc':'2.0','id':2,'method':'tools/call','params':"
                    + "{'name':'work','_meta':{'progressToken':'t'}}}"));
            assertEquals("notifications/progress", progress.get("method").asText());
            assertEquals("t", progress.at("/params/progressToken").asText());
            assertEquals("installing", progress.at("/params/message").asText());
            assertEquals(1, progress.at("/params/progress").asInt());
            assertEquals(2, client.next().get("id").asInt());
        }
    }

    private void awaitBegun() {
        try {
            assertTrue(begun.await(30, TimeUnit.SECONDS));
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
