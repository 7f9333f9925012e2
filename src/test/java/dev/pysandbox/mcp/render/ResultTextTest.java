package dev.pysandbox.mcp.render;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pysandbox.api.ExecutionResult;
import dev.pysandbox.api.Status;
import dev.pysandbox.mcp.ResultBuilder;
import dev.pysandbox.mcp.jsonrpc.Jackson2Mapper;
import dev.pysandbox.mcp.tools.Schemas;
import dev.pysandbox.mcp.tools.ToySandbox;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.ImageContent;
import io.modelcontextprotocol.spec.McpSchema.TextContent;
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
        assertEquals(expected, ResultText.of(built, FileViews.of(built.files())));
        Map<String, Object> schema =
                new ToySandbox(request -> built).tools().get(0).definition().outputSchema();
        assertEquals(List.of(), Schemas.problems(schema, ResultJson.of(built, FileViews.of(built.files()))));
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
                y = {"k":[1,null,"ü"]}
                z = null
                --- files ---
                table.csv (8 bytes, text/csv)
                    a,b
                    1,2
                plot.png (70 bytes, image/png)
                empty (0 bytes, application/octet-stream)
                --- hint: It ran for 30 s, the most it may. ---
                --- hint: print less ---
                --- warning: no sandbox --- really ---
                --- warning: two lines ---""",
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
                --- hint: check the spelling ---""", failed);
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
        String visible = "\\x1b[31mred\\x1b[0m\n50%\\x0d100%\t\\x00\\x9b\\x7f é\n";
        assertTrue(ResultText.of(coloured, List.of()).startsWith("--- stdout ---\n" + visible + "--- exit_code"));
        assertEquals(visible, ResultJson.of(coloured, List.of()).get("stdout"));
    }

    @Test
    void structuredHasEveryField() throws Exception {
        ExecutionResult full = result().stdout("hi\n")
                .exitCode(1)
                .install(Duration.ofMillis(5))
                .variable("x", 1)
                .file("a.txt", "text/plain", utf8("A"))
                .hint("h")
                .warning("w")
                .build();
        Map<String, Object> json = ResultJson.of(full, FileViews.of(full.files()));
        assertEquals(
                "{\"status\":\"script_error\",\"stdout\":\"hi\\n\",\"stderr\":\"\",\"exit_code\":1,\"duration_ms\":12,"
                        + "\"install_ms\":5,\"timed_out\":false,\"stdout_bytes\":3,\"stderr_bytes\":0,"
                        + "\"stdout_truncated\":false,\"stderr_truncated\":false,\"variables\":{\"x\":1},"
                        + "\"files\":[{\"name\":\"a.txt\",\"size\":1,\"type\":\"text/plain\",\"sha256\":\""
                        + "0".repeat(64) + "\",\"text\":\"A\"}],"
                        + "\"python_version\":\"3.13.5\",\"sandbox\":\"native\",\"network\":\"internet\","
                        + "\"hint\":\"h\",\"warnings\":[\"w\"],\"cpu_ms\":9,\"peak_memory_bytes\":1024}",
                new Jackson2Mapper().writeValueAsString(json));
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
    void longOrBinaryFilesAreOnlyListed() {
        assertText(
                """
                --- exit_code: 0 ---
                --- duration_ms: 12 ---
                --- files ---
                long.txt (4097 bytes, text/plain)
                data.bin (3 bytes, application/octet-stream)""",
                result().file("long.txt", "text/plain", new byte[4097])
                        .file("data.bin", "application/octet-stream", new byte[] {1, 0, -1}));
    }
}
