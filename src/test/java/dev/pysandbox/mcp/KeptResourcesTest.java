package dev.pysandbox.mcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.pysandbox.api.ProducedFile;
import dev.pysandbox.support.Sha256;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class KeptResourcesTest {
    private static final JsonMapper JSON = new JsonMapper();

    @TempDir
    private Path folder;

    private final List<ProducedFile> files = new ArrayList<>();
    private final ToyTool keep = new ToyTool("keep", (arguments, context) -> {
        context.offer(List.copyOf(files));
        return "kept";
    });

    private ProducedFile kept(String name, String type, byte[] content) throws IOException {
        Path path = Files.write(folder.resolve(name), content);
        return new ProducedFile(
                name, type, content.length, Optional.of(Sha256.of(content)), new byte[0], Optional.of(path));
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private TestClient client() {
        TestClient client = new TestClient(List.of(keep), true, Optional.empty());
        client.ask("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"keep\"}}");
        return client;
    }

    private static JsonNode read(TestClient client, String uri) throws Exception {
        return client.ask("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"resources/read\",\"params\":"
                + JSON.writeValueAsString(Map.of("uri", uri)) + "}");
    }

    @Test
    void listsAndReadsWhatWasKept() throws Exception {
        files.addAll(List.of(
                kept("ü a.csv", "text/csv", utf8("a,b\n")),
                kept("x.bin", "application/octet-stream", new byte[] {0, -1}),
                kept("p.png", "image/png", utf8("looks like text"))));
        try (TestClient client = client()) {
            JsonNode list = client.ask("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"resources/list\"}")
                    .at("/result/resources");
            assertEquals(List.of("p.png", "x.bin", "ü a.csv"), list.findValuesAsText("name"));
            assertEquals(4, list.get(2).get("size").asInt());
            String uri = list.get(2).get("uri").asText();
            assertEquals(folder.resolve("ü a.csv").toUri().toString(), uri);
            JsonNode text = read(client, uri).at("/result/contents/0");
            assertEquals("a,b\n", text.get("text").asText());
            assertEquals("text/csv", text.get("mimeType").asText());
            assertEquals(uri, text.get("uri").asText());
            JsonNode blob = read(client, list.get(1).get("uri").asText()).at("/result/contents/0");
            assertEquals(
                    Base64.getEncoder().encodeToString(new byte[] {0, -1}),
                    blob.get("blob").asText());
            assertTrue(read(client, list.get(0).get("uri").asText())
                    .at("/result/contents/0")
                    .has("blob"));
            assertEquals(
                    "[]",
                    client.ask("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"resources/templates/list\"}")
                            .at("/result/resourceTemplates")
                            .toString());
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "file:///etc/passwd",
                "FOLDER/secret.txt",
                "FOLDER/../secret.txt",
                "FOLDER/./a.txt",
                "FOLDER//a.txt",
                "FOLDER/a%2etxt",
                "FOLDER/%2e%2e/secret.txt",
                "FOLDER/",
                "a.txt",
                "",
                "file:",
                "http://localhost/a.txt"
            })
    void servesNothingElse(String uri) throws Exception {
        files.addAll(List.of(kept("a.txt", "text/plain", utf8("mine"))));
        Files.writeString(folder.resolve("secret.txt"), "secret");
        String base = folder.toUri().toString().replaceFirst("/$", "");
        try (TestClient client = client()) {
            JsonNode answer = read(client, uri.replace("FOLDER", base));
            assertEquals(-32002, answer.at("/error/code").asInt(), answer::toString);
            client.assertAlive();
        }
    }

    @Test
    void whatWasReplacedIsNotServed() throws Exception {
        Path secret = Files.writeString(folder.resolve("secret.txt"), "secret");
        ProducedFile linked = kept("a.txt", "text/plain", utf8("mine"));
        ProducedFile changed = kept("b.txt", "text/plain", utf8("mine"));
        ProducedFile removed = kept("c.txt", "text/plain", utf8("mine"));
        files.addAll(List.of(linked, changed, removed));
        Files.delete(linked.kept().orElseThrow());
        Files.createSymbolicLink(linked.kept().orElseThrow(), secret);
        Files.writeString(changed.kept().orElseThrow(), "other");
        Files.delete(removed.kept().orElseThrow());
        try (TestClient client = client()) {
            for (ProducedFile file : List.of(linked, changed, removed)) {
                JsonNode answer = read(client, file.kept().orElseThrow().toUri().toString());
                assertEquals(-32002, answer.at("/error/code").asInt(), answer::toString);
                assertFalse(answer.toString().contains("secret"));
            }
        }
    }

    @Test
    void whatIsTooLargeIsNamedInstead() throws Exception {
        ProducedFile large = kept("large.bin", "application/octet-stream", new byte[(8 << 20) + 1]);
        files.addAll(List.of(large));
        try (TestClient client = client()) {
            JsonNode error =
                    read(client, large.kept().orElseThrow().toUri().toString()).get("error");
            assertEquals(-32602, error.get("code").asInt());
            assertTrue(error.get("message").asText().contains("large.bin"), error::toString);
        }
    }

    @Test
    void remembersTheNewest() throws Exception {
        List<ProducedFile> many = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            many.add(kept(i + ".txt", "text/plain", utf8("x")));
        }
        files.addAll(many);
        try (TestClient client = client()) {
            JsonNode list = client.ask("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"resources/list\"}")
                    .at("/result/resources");
            assertEquals(256, list.size());
            assertEquals("299.txt", list.get(0).get("name").asText());
        }
    }

    @Test
    void theStatelessEraHasThemToo() throws Exception {
        ProducedFile file = kept("a.txt", "text/plain", utf8("mine"));
        files.addAll(List.of(file));
        String meta = "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
                + "\"io.modelcontextprotocol/clientCapabilities\":{}}";
        try (TestClient client = client()) {
            JsonNode discovered = client.ask(
                    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"server/discover\",\"params\":{" + meta + "}}");
            assertTrue(discovered.at("/result/capabilities/resources").isObject(), discovered::toString);
            JsonNode list = client.ask(
                    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"resources/list\",\"params\":{" + meta + "}}");
            assertEquals(0, list.at("/result/ttlMs").asInt(), list::toString);
            String uri = list.at("/result/resources/0/uri").asText();
            JsonNode read =
                    client.ask("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"resources/read\",\"params\":{\"uri\":\""
                            + uri + "\"," + meta + "}}");
            assertEquals("mine", read.at("/result/contents/0/text").asText(), read::toString);
            assertEquals("complete", read.at("/result/resultType").asText());
            JsonNode none = client.ask("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"resources/read\",\"params\":"
                    + "{\"uri\":\"file:///etc/passwd\"," + meta + "}}");
            assertEquals(-32602, none.at("/error/code").asInt(), none::toString);
        }
    }

    @Test
    void withoutAFolderThereAreNone() {
        try (TestClient client = new TestClient(List.of(ToyTool.ECHO))) {
            JsonNode answer = client.ask("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"resources/list\"}");
            assertEquals(-32601, answer.at("/error/code").asInt(), answer::toString);
            JsonNode malformed =
                    client.ask("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"resources/read\",\"params\":{\"uri\":5}}");
            assertEquals(-32602, malformed.at("/error/code").asInt(), malformed::toString);
        }
    }
}
