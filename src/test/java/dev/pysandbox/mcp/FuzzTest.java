package dev.pysandbox.mcp;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pysandbox.Fuzz;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
final class FuzzTest {
    private static final List<String> SEEDS = List.of(
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}",
            "{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"method\":\"tools/list\",\"params\":{\"cursor\":null}}",
            "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/call\",\"params\":{\"name\":\"echo\",\"arguments\":"
                    + "{\"text\":\"\\u00e9\"},\"_meta\":{\"progressToken\":3}}}",
            "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"tools/call\",\"params\":{\"name\":\"fail\"}}",
            "{\"jsonrpc\":\"2.0\",\"id\":4,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-06-18\","
                    + "\"capabilities\":{\"roots\":{}},\"clientInfo\":{\"name\":\"n\",\"version\":\"1\"}}}",
            "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}",
            "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":2}}",
            "{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"logging/setLevel\",\"params\":{\"level\":\"debug\"}}",
            "{\"jsonrpc\":\"2.0\",\"id\":6,\"method\":\"server/discover\",\"params\":{\"_meta\":{"
                    + "\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
                    + "\"io.modelcontextprotocol/clientCapabilities\":{}}}}",
            "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"subscriptions/listen\",\"params\":{\"notifications\":{},"
                    + "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
                    + "\"io.modelcontextprotocol/clientCapabilities\":{}}}}",
            "[{\"jsonrpc\":\"2.0\",\"id\":8,\"method\":\"ping\"},{\"jsonrpc\":\"2.0\",\"method\":\"x\"},1]");
    private static final List<String> SPICE = List.of(
            "null",
            "[]",
            "{}",
            "\"\"",
            "-1",
            "1e999",
            "\\u0000",
            "\\ud800",
            "\"id\":",
            ",",
            ":",
            "[",
            "]",
            "{",
            "}",
            "99999999999999999999",
            "true",
            "2026-07-28",
            "tools/call",
            " ");

    @Test
    void survivesTenThousandMutatedLines() {
        Random random = Fuzz.random(20261116);
        try (TestClient client = new TestClient(List.of(ToyTool.ECHO, ToyTool.FAIL))) {
            int heard = 0;
            for (int i = 0; i < 10_000; i++) {
                client.send(mutated(random));
                if (i % 500 == 0) { // limits the number of running calls
                    heard += client.answersUntilPong();
                }
            }
            heard += client.answersUntilPong();
            assertTrue(heard > 5_000, () -> "most lines deserve an answer");
        }
    }

    @Test
    void survivesRandomBytes() {
        Random random = new Random(42);
        byte[] noise = new byte[1 << 20];
        random.nextBytes(noise);
        try (TestClient client = new TestClient(List.of(ToyTool.ECHO))) {
            client.send(noise);
            client.send("");
            assertTrue(client.answersUntilPong() > 1_000);
        }
    }

    private static byte[] mutated(Random random) {
        byte[] line = SEEDS.get(random.nextInt(SEEDS.size())).getBytes(StandardCharsets.UTF_8);
        List<Byte> bytes = new ArrayList<>();
        for (byte b : line) {
            bytes.add(b);
        }
        for (int n = random.nextInt(4); n >= 0; n--) {
            mutate(bytes, random);
        }
        byte[] mutated = new byte[bytes.size() + 1];
        for (int i = 0; i < bytes.size(); i++) {
            mutated[i] = bytes.get(i) == '\n' ? (byte) ' ' : bytes.get(i);
        }
        mutated[bytes.size()] = '\n';
        return mutated;
    }

    private static void mutate(List<Byte> bytes, Random random) {
        int at = random.nextInt(bytes.size() + 1);
        int end = Math.min(bytes.size(), at + 1 + random.nextInt(12));
        switch (random.nextInt(4)) {
            case 0 -> bytes.subList(at, end).clear();
            case 1 -> bytes.addAll(at, List.copyOf(bytes.subList(Math.min(at, end), end)));
            case 2 -> {
                for (int i = at; i < end; i += 4) {
                    bytes.set(i, (byte) random.nextInt(256));
                }
            }
            default -> {
                bytes.subList(at, end).clear();
                byte[] spice = SPICE.get(random.nextInt(SPICE.size())).getBytes(StandardCharsets.UTF_8);
                for (int i = 0; i < spice.length; i++) {
                    bytes.add(at + i, spice[i]);
                }
            }
        }
    }
}
