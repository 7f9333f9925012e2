package dev.pysandbox.mcp.render;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pysandbox.api.CapturedText;
import dev.pysandbox.api.ExecutionResult;
import dev.pysandbox.api.Status;
import dev.pysandbox.mcp.ResultBuilder;
import dev.pysandbox.mcp.jsonrpc.Jackson2Mapper;
import dev.pysandbox.mcp.tools.Schemas;
import dev.pysandbox.mcp.tools.ToySandbox;
import io.modelcontextprotocol.spec.McpSchema.BlobResourceContents;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.EmbeddedResource;
import io.modelcontextprotocol.spec.McpSchema.ImageContent;
import io.modelcontextprotocol.spec.McpSchema.ResourceContents;
import io.modelcontextprotocol.spec.McpSchema.TextContent;
import io.modelcontextprotocol.spec.McpSchema.TextResourceContents;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Checks the exact text and the exact structured form of results. */
public final class ResultTextTest {
    private static final byte[] PNG = Base64.getDecoder()
            .decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==");

    public static ResultBuilder result() {
        return new ResultBuilder();
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static void assertText(String expected, ResultBuilder result) {
        ExecutionResult built = result.build();
        assertEquals(expected, ResultText.of(built, FileViews.of(built.files(), true)));
        Map<String, Object> schema =
                new ToySandbox(request -> built).tools().get(0).definition().outputSchema();
        assertEquals(List.of(), Schemas.problems(schema, ResultJson.of(built, FileViews.of(built.files(), true))));
    }

    @Test
    void silence() {
        assertText("--- exit_code: 0 ---\n--- duration_ms: 12 ---", result());
    }

    @Test
    void hello() {
        assertText("--- stdout ---\nhi\n--- exit_code: 0 ---\n--- duration_ms: 12 ---", result().stdout("hi\n"));
    }

    @Test
    void aMissingNewlineIsAdded() {
        assertText(
                "--- stdout ---\na\n--- stderr ---\nb\n--- exit_code: 3 ---\n--- duration_ms: 12 ---",
                result().stdout("a").stderr("b").exitCode(3));
    }

    @Test
    void everythingAtOnce() {
        Map<String, Object> nested = new LinkedHashMap<>();
        nested.put("k", Arrays.asList(1, null, "ü"));
        assertText(
                """
                --- stdout ---
                out

                --- stderr ---
                err
                --- exit_code: 137 ---
                --- duration_ms: 12 ---
                --- timed_out: true ---
                --- install_ms: 1500 ---
                --- variables ---
                x = 1
                y = {'k': [1, None, 'ü']}
                z = None
                --- files ---
                table.csv (8 bytes, text/csv)
                    a,b
                    1,2
                plot.png (70 bytes, image/png)
                empty (0 bytes, application/octet-stream)
                --- hint: It ran for 30 s, the most it may. ---
                --- hint: print less ---
                --- warning: no sandbox --- really ---
                --- warning: two lines ---\
                """,
                result().stdout("out\n\n")
                        .stderr("err")
                        .exitCode(137)
                        .status(Status.TIMED_OUT, "It ran for 30 s, the most it may.")
                        .install(Duration.ofMillis(1500))
                        .variable("x", 1)
                        .variable("y", nested)
                        .variable("z", null)
                        .file("table.csv", "text/csv", utf8("a,b\n1,2\n"))
                        .file("plot.png", "image/png", PNG)
                        .file("empty", "application/octet-stream", new byte[0])
                        .hint("print less")
                        .warning("no sandbox --- really")
                        .warning("two\n lines"));
    }

    @Test
    void whatPreventedTheRunComesFirst() {
        ResultBuilder failed = result().status(Status.INSTALL_FAILED, "There is no package 'nope' on the index.")
                .stderr("uv: error")
                .install(Duration.ofMillis(300))
                .hint("check the spelling");
        assertText("""
            There is no package 'nope' on the index.
            --- stderr ---
            uv: error
            --- install_ms: 300 ---
            --- hint: check the spelling ---\
            """, failed);
        CallToolResult result = ToySandbox.toolResult(failed.build());
        assertTrue(result.isError());
        assertEquals(
                "There is no package 'nope' on the index.\ncheck the spelling",
                ((Map<?, ?>) result.structuredContent()).get("hint"));
    }

    @Test
    void aFailingScriptIsAResult() {
        assertFalse(ToySandbox.toolResult(result().exitCode(1).build()).isError());
        assertFalse(ToySandbox.toolResult(
                        result().status(Status.OUT_OF_MEMORY, "too much").build())
                .isError());
    }

    @Test
    void controlCharactersBecomeVisible() {
        ExecutionResult coloured = result().stdout("\u001b[31mred\u001b[0m\r\n50%\r100%\t\u0000\u009b\u007f é\n")
                .build();
        String visible = "\\x1b[31mred\\x1b[0m\n100%\t\\x00\\x9b\\x7f é\n";
        assertTrue(ResultText.of(coloured, List.of()).startsWith("--- stdout ---\n" + visible + "--- exit_code"));
        assertEquals(visible, ResultJson.of(coloured, List.of()).get("stdout"));
    }

    @Test
    void overwrittenLinesAreShownInTheirLastState() {
        assertEquals("a\n 100%\nb\n", shownStderr("a\n\r   0%\r  50%\r 100%\nb\n"));
        assertEquals(" 100%", shownStderr("\r  50%\r 100%\r"));
        assertEquals("done\n", shownStderr("\r 50%\r     \rdone\r\n"));
        assertEquals("one\ntwo\n", shownStderr("one\r\ntwo\r\n"));
        assertEquals("\\x0d\\x0d\n", shownStderr("\r\r\r\n"));
    }

    private static String shownStderr(String stderr) {
        ExecutionResult built = result().stderr(stderr).build();
        assertTrue(ResultText.of(built, List.of()).startsWith("--- stderr ---\n"));
        return String.valueOf(ResultJson.of(built, List.of()).get("stderr"));
    }

    @Test
    void whatIsNotShownOfTheOutputIsSaid() {
        ExecutionResult much = result().stdout(new CapturedText("a\n[...]\nz", 5_000_000, true))
                .build();
        assertTrue(ResultText.of(much, List.of())
                .endsWith("\n"
                        + "--- hint: the script printed 5000000 bytes, of which only the beginning and the end are"
                        + " shown; print a summary or a part, such as .head(), len() or [:20] ---"));
        assertTrue(String.valueOf(ResultJson.of(much, List.of()).get("hint")).contains("5000000 bytes"));
        ExecutionResult overwritten = result().stdout("one\rtwo\n").build();
        assertEquals(
                List.of("stdout has carriage returns (\\r): of each such line only the last state is shown"),
                ResultJson.of(overwritten, List.of()).get("warnings"));
    }

    @Test
    void aLongTracebackOfANetworkLibraryBeginsWithItsSentence() {
        String sentence = "requests.exceptions.ProxyError: HTTPSConnectionPool(host='x', port=443): 403 Forbidden";
        String traceback = "Traceback (most recent call last):\n"
                + "  File \"/env/lib/python3.13/site-packages/urllib3/connectionpool.py\", line 773, in urlopen\n"
                        .repeat(30)
                + sentence + "\n";
        ResultBuilder failed = result().exitCode(1).stderr(traceback).hint("h");
        assertTrue(ResultText.of(failed.build(), List.of()).startsWith(sentence + "\n--- stderr ---\nTraceback"));
        Map<String, Object> json = ResultJson.of(failed.build(), List.of());
        assertEquals(sentence + "\nh", json.get("hint"));
        assertEquals(traceback, json.get("stderr"));
        assertEquals(List.of("status", "hint"), List.copyOf(json.keySet()).subList(0, 2));
        String other = traceback.replace("urllib3", "pandas");
        assertTrue(ResultText.of(failed.stderr(other).build(), List.of()).startsWith("--- stderr ---"));
    }

    @Test
    void aValueIsAPartOfItsOwn() {
        assertText("--- exit_code: 0 ---\n--- duration_ms: 12 ---\n--- value ---\n42", result().value("42"));
        assertEquals(
                "a\\x1bb",
                ResultJson.of(result().value("a\u001bb").build(), List.of()).get("value"));
    }

    @Test
    void variablesLookAsInPython() {
        Map<String, Object> table = new LinkedHashMap<>();
        table.put("type", "pandas.DataFrame");
        table.put("shape", List.of(2, 1));
        table.put("dtypes", Map.of("a", "int64"));
        table.put("head", "   a\n0  1");
        assertText(
                """
                --- exit_code: 0 ---
                --- duration_ms: 12 ---
                --- variables ---
                a = [True, -0.5, 1e+20, 2.5e-07, 0.0001, 3.0]
                b = "it's"
                c = 'both " and \\' \\n \\\\'
                d = {1, 2}
                e is not defined
                f: TypeError while describing it
                g = pandas.DataFrame, shape [2, 1], dtypes {'a': 'int64'}:
                   a
                0  1\
                """,
                result().variable("a", List.of(true, -0.5, 1e20, 2.5e-7, 1e-4, 3.0))
                        .variable("b", "it's")
                        .variable("c", "both \" and ' \n \\")
                        .variable("d", Map.of("type", "builtins.set", "repr", "{1, 2}", "length", 2))
                        .variable("e", Map.of("unknown", true))
                        .variable("f", Map.of("error", "TypeError while describing it"))
                        .variable("g", table));
    }

    @Test
    void structuredHasEveryField() throws Exception {
        ResultBuilder full = result().stdout("hi\n")
                .exitCode(1)
                .install(Duration.ofMillis(5))
                .value("7")
                .variable("x", 1)
                .kept("a.txt", "text/plain", utf8("A"))
                .hint("h")
                .warning("w");
        assertEquals(
                "{\"status\":\"script_error\",\"hint\":\"h\",\"stdout\":\"hi\\n"
                        + "\",\"stderr\":\"\",\"exit_code\":1,"
                        + "\"duration_ms\":12,\"install_ms\":5,\"stdout_bytes\":3,\"value\":\"7\",\"variables\":{\"x\":1},"
                        + "\"files\":[{\"name\":\"a.txt\",\"size\":1,\"type\":\"text/plain\",\"sha256\":\""
                        + "0".repeat(64) + "\",\"text\":\"A\",\"uri\":\"file:///kept/a.txt\"}],"
                        + "\"python_version\":\"3.13.5\",\"sandbox\":\"native\",\"network\":\"internet\","
                        + "\"warnings\":[\"w\"],\"cpu_ms\":9,\"peak_memory_bytes\":1024}",
                json(full));
    }

    @Test
    void structuredHasNothingThatSaysNothing() throws Exception {
        assertEquals(
                "{\"status\":\"ok\",\"stdout\":\"\",\"stderr\":\"\",\"exit_code\":0,\"duration_ms\":12,"
                        + "\"files\":[{\"name\":\"a.txt\",\"size\":1,\"type\":\"text/plain\",\"text\":\"A\"}],"
                        + "\"python_version\":\"3.13.5\",\"sandbox\":\"native\",\"network\":\"internet\","
                        + "\"cpu_ms\":9,\"peak_memory_bytes\":1024}",
                json(result().file("a.txt", "text/plain", utf8("A"))));
    }

    private static String json(ResultBuilder result) throws Exception {
        ExecutionResult built = result.build();
        return new Jackson2Mapper().writeValueAsString(ResultJson.of(built, FileViews.of(built.files(), true)));
    }

    @Test
    void everyStatusFitsTheSchema() {
        for (Status status : Status.values()) {
            ResultBuilder built = result().status(status, "why");
            Map<String, Object> schema = new ToySandbox(request -> built.build())
                    .tools()
                    .get(0)
                    .definition()
                    .outputSchema();
            assertEquals(List.of(), Schemas.problems(schema, ResultJson.of(built.build(), List.of())));
        }
    }

    @Test
    void imagesFollowTheText() {
        CallToolResult result = ToySandbox.toolResult(result().file("a.png", "image/png", PNG)
                .file("fake.png", "image/png", utf8("not an image"))
                .file("short.webp", "image/webp", utf8("RIFF"))
                .file("short.png", "image/png", Arrays.copyOf(PNG, 20))
                .build());
        assertEquals(2, result.content().size());
        assertTrue(result.content().get(0) instanceof TextContent);
        ImageContent image = (ImageContent) result.content().get(1);
        assertEquals("image/png", image.mimeType());
        assertEquals(Base64.getEncoder().encodeToString(PNG), image.data());
    }

    @Test
    void noMoreThanEightImages() {
        ResultBuilder many = result();
        for (int i = 0; i < 12; i++) {
            many.file(i + ".png", "image/png", PNG);
        }
        assertEquals(9, ToySandbox.toolResult(many.build()).content().size());
    }

    @Test
    void whatIsNeitherShownNorKeptIsSaid() {
        assertText(
                """
                --- exit_code: 0 ---
                --- duration_ms: 12 ---
                --- files ---
                long.txt (40961 bytes, text/plain, not kept)
                page.html (4097 bytes, text/html, attached)
                data.bin (3 bytes, application/octet-stream, attached)
                --- warning: 1 file was deleted with the sandbox (marked 'not kept'): print what you need, or set \
                --keep-files=DIR where the server is started ---\
                """,
                result().file("long.txt", "text/plain", utf8("x".repeat((40 << 10) + 1)))
                        .file("page.html", "text/html", utf8("x".repeat(4097)))
                        .file("data.bin", "application/octet-stream", new byte[] {1, 0, -1}));
    }

    @Test
    void keptFilesHaveTheirPlaceAlsoIfTheyAreShown() {
        assertText(
                """
                --- exit_code: 0 ---
                --- duration_ms: 12 ---
                --- files ---
                a.txt (1 bytes, text/plain) file:///kept/a.txt
                    A
                data.bin (3 bytes, application/octet-stream) file:///kept/data.bin\
                """,
                result().kept("a.txt", "text/plain", utf8("A"))
                        .kept("data.bin", "application/octet-stream", new byte[] {1, 0, -1}));
    }

    @Test
    void longerTextsAreAttachedAsText() {
        String table = "ä,b\r\n1,2\n".repeat(500);
        String hidden = "\u202e".repeat(2000);
        String longest = "x".repeat(40 << 10);
        CallToolResult result = ToySandbox.toolResult(result().file("t.csv", "text/csv", utf8(table))
                .file("hidden.txt", "text/plain", utf8(hidden))
                .file("longest.txt", "text/plain", utf8(longest))
                .file("too-many.txt", "text/plain", utf8(longest))
                .build());
        List<ResourceContents> attached = result.content().stream()
                .skip(1)
                .map(item -> ((EmbeddedResource) item).resource())
                .toList();
        assertEquals(
                List.of("sandbox:/t.csv", "sandbox:/hidden.txt", "sandbox:/longest.txt"),
                attached.stream().map(ResourceContents::uri).toList());
        assertEquals(table, ((TextResourceContents) attached.get(0)).text());
        assertEquals(Base64.getEncoder().encodeToString(utf8(hidden)), ((BlobResourceContents) attached.get(1)).blob());
        assertEquals(longest, ((TextResourceContents) attached.get(2)).text());
    }

    @Test
    void smallBinaryFilesAreAttachedWithinABound() {
        byte[] small = new byte[] {'P', 'K', 0, -1};
        CallToolResult result = ToySandbox.toolResult(result().file("out/Ä b.xlsx", "x/y", small)
                .file("/tmp/large.xlsx", "x/y", new byte[(40 << 10) + 1])
                .file("1", "x/y", new byte[40 << 10])
                .file("2", "x/y", new byte[40 << 10])
                .build());
        assertEquals(3, result.content().size());
        EmbeddedResource attached = (EmbeddedResource) result.content().get(1);
        assertEquals("sandbox:/out/%C3%84%20b.xlsx", attached.resource().uri());
        assertEquals(Base64.getEncoder().encodeToString(small), ((BlobResourceContents) attached.resource()).blob());
    }
}
