package dev.pysandbox.mcp.stdio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.pysandbox.mcp.TestClient;
import dev.pysandbox.mcp.ToyTool;
import dev.pysandbox.mcp.stdio.LineReader.Line;
import dev.pysandbox.mcp.tools.SandboxTool;
import dev.pysandbox.mcp.tools.SandboxTools;
import dev.pysandbox.mcp.tools.ToolText;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
final class EarlyHandshakeTest {
    private static final JsonMapper JSON = new JsonMapper();
    private static final List<String> FOLDERS = List.of("/data/books (read-only)");

    private static List<ToolText> texts() {
        return SandboxTools.texts(FOLDERS);
    }

    private static AssertionError never() {
        return new AssertionError("no tool is called here");
    }

    private static List<SandboxTool> tools() {
        return SandboxTools.of(CompletableFuture.failedFuture(never()), FOLDERS);
    }

    private static Optional<JsonNode> earlyAnswer(String line, boolean resources) throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        boolean answered = new EarlyHandshake(texts(), resources)
                .respond(new Line.Text(line), new LineWriter(out, () -> {
                    throw never();
                }));
        assertTrue(answered, line);
        String text = out.toString(StandardCharsets.UTF_8);
        return text.isEmpty() ? Optional.empty() : Optional.of(JSON.readTree(text));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}",
                "{\"jsonrpc\":\"2.0\",\"id\":\"\\u00e9\\\"\",\"method\":\"ping\",\"params\":{}}",
                "{\"jsonrpc\":\"2.0\",\"id\":99999999999999999999,\"method\":\"ping\"}\r",
                "{\"method\":\"tools/list\",\"id\":0,\"jsonrpc\":\"2.0\"}",
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\",\"params\":{\"_meta\":{\"progressToken\":1}}}",
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2024-11-05\"}}",
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-11-25\","
                        + "\"capabilities\":{\"roots\":{\"listChanged\":true}},\"clientInfo\":{\"name\":\"n\","
                        + "\"version\":\"1\"}}}",
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2031-01-01\"}}"
            })
    void answersAsTheSdkWould(String line) throws Exception {
        try (TestClient client = new TestClient(tools())) {
            assertEquals(client.ask(line), earlyAnswer(line, false).orElseThrow());
        }
        try (TestClient client = new TestClient(tools(), true, Optional.empty())) {
            assertEquals(client.ask(line), earlyAnswer(line, true).orElseThrow());
        }
    }

    @Test
    void hearsThatTheClientIsReady() throws Exception {
        assertEquals(
                Optional.empty(), earlyAnswer("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}", false));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "nonsense",
                "{",
                "5",
                "{}",
                "[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}]",
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"} x",
                "{\"id\":1,\"method\":\"ping\"}",
                "{\"jsonrpc\":\"1.0\",\"id\":1,\"method\":\"ping\"}",
                "{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"ping\"}",
                "{\"jsonrpc\":\"2.0\",\"id\":1.5,\"method\":\"ping\"}",
                "{\"jsonrpc\":\"2.0\",\"method\":\"ping\"}",
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"params\":[]}",
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\",\"params\":{\"cursor\":\"x\"}}",
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\",\"params\":{\"_meta\":"
                        + "{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\"}}}",
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{}}",
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\"}",
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{\"protocolVersion\":5}}",
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"x\","
                        + "\"clientInfo\":5}}",
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}"
            })
    void leavesWhatIsUnusual(String line) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        assertFalse(new EarlyHandshake(texts(), false).respond(new Line.Text(line), new LineWriter(out, () -> {
            throw never();
        })));
        assertEquals(0, out.size());
    }

    @Test
    void handsOverWhatWasAgreed() {
        ToyTool echo = ToyTool.ECHO;
        try (TestClient client = new TestClient(List.of(echo), Optional.of(texts()))) {
            client.ask("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":"
                    + "{\"protocolVersion\":\"2025-11-25\"}}");
            client.send("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}");
            client.ask("{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/list\"}");
            JsonNode called = client.ask("{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"tools/call\",\"params\":"
                    + "{\"name\":\"echo\",\"arguments\":{\"text\":\"hi\"}}}");
            assertEquals("hi", called.at("/result/content/0/text").asText());
            JsonNode batch = client.ask("[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}]");
            assertEquals(-32600, batch.at("/error/code").asInt(), batch::toString);
            client.assertAlive();
        }
    }

    @Test
    void aServerThatIsOnlyGreetedLoadsNothing() {
        Supplier<List<SandboxTool>> tools = () -> {
            throw never();
        };
        InputStream in = new ByteArrayInputStream(
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n".getBytes(StandardCharsets.UTF_8));
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        new StdioServer(tools, false, Optional.of(texts()), Optional.empty(), in, out).run();
        assertEquals("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n", out.toString(StandardCharsets.UTF_8));
    }

    /** Runs with a class path that has only the classes of this project. */
    @Test
    void needsNeitherSdkNorJackson() throws Exception {
        URL ours = StdioServer.class.getProtectionDomain().getCodeSource().getLocation();
        String lines = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":"
                + "{\"protocolVersion\":\"2025-11-25\"}}\n{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"ping\"}\n";
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (URLClassLoader alone = new URLClassLoader(new URL[] {ours}, ClassLoader.getPlatformClassLoader())) {
            Class<?> server = alone.loadClass(StdioServer.class.getName());
            Constructor<?> constructor = server.getConstructor(
                    Callable.class, List.class, boolean.class, InputStream.class, OutputStream.class);
            Callable<Object> neverOpened = () -> {
                throw new AssertionError("no tool was called");
            };
            Object created = constructor.newInstance(
                    neverOpened,
                    List.of(),
                    false,
                    new ByteArrayInputStream(lines.getBytes(StandardCharsets.UTF_8)),
                    out);
            server.getMethod("run").invoke(created);
        } catch (InvocationTargetException e) {
            throw new AssertionError(e.getCause());
        }
        assertEquals(2, out.toString(StandardCharsets.UTF_8).lines().count());
    }
}
