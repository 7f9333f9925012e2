package dev.pysandbox.mcp.jsonrpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PlainJsonTest {
    private static final JsonMapper JACKSON = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private static final String SAMPLE =
            "{\"a\": [1, -20, [], {}], \"b\\n\\u00e9\\\"\\\\\": {\"c\":true,\"d\" :false}, \"\": \"é\\/\\tx\"}";

    @ParameterizedTest
    @ValueSource(strings = {SAMPLE, "{}", " {\"a\":0}\r", "{\"id\":99999999999999999999,\"x\":[[[\"\"]]]}"})
    void readsAsJacksonDoes(String text) throws JsonProcessingException {
        Optional<Map<String, Object>> read = PlainJson.read(text);
        assertTrue(read.isPresent(), text);
        assertSameAsJackson(text, read.get());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "[]",
                "\"a\"",
                "5",
                "{\"a\":1} x",
                "{\"a\":1,}",
                "{,}",
                "{\"a\" 1}",
                "{a:1}",
                "{\"a\":1,\"a\":2}",
                "{\"a\":01}",
                "{\"a\":-0}",
                "{\"a\":1.5}",
                "{\"a\":1e3}",
                "{\"a\":-}",
                "{\"a\":null}",
                "{\"a\":tru}",
                "{\"a\":\"\u0001\"}",
                "{\"a\":\"",
                "{\"a\":\"\\",
                "{\"a\":\"\\x\"}",
                "{\"a\":\"\\ud83d\\ude00\"}",
                "{\"a\":\"\\u00e\"}",
                "{}\u0000",
                "{\"a\":[1 2]}",
                "{\"a\":[1,]}"
            })
    void leavesWhatIsMalformedOrUnusual(String text) {
        assertEquals(Optional.empty(), PlainJson.read(text));
    }

    @Test
    void leavesWhatIsDeepOrLong() {
        assertEquals(Optional.empty(), PlainJson.read("{\"a\":" + "[".repeat(5000) + "]".repeat(5000) + "}"));
        assertEquals(Optional.empty(), PlainJson.read("{\"a\":\"" + "x".repeat(1 << 16) + "\"}"));
        assertEquals(Optional.empty(), PlainJson.read("{\"a\":" + "1".repeat(2000) + "}"));
    }

    /** If it accepts a damaged text, Jackson reads the same from it. */
    @Test
    void neverReadsWhatJacksonWouldNot() throws JsonProcessingException {
        Random random = new Random(5);
        String spare = "{}[]\",:\\ \u00000123456789-+.eEtrufalsn\n\t\u00e9\ufffd";
        int read = 0;
        for (int round = 0; round < 20_000; round++) {
            StringBuilder text = new StringBuilder(SAMPLE);
            for (int change = random.nextInt(3); change >= 0; change--) {
                int at = random.nextInt(text.length());
                char other = spare.charAt(random.nextInt(spare.length()));
                switch (random.nextInt(3)) {
                    case 0 -> text.deleteCharAt(at);
                    case 1 -> text.insert(at, other);
                    default -> text.setCharAt(at, other);
                }
            }
            Optional<Map<String, Object>> plain = PlainJson.read(text.toString());
            if (plain.isPresent()) {
                read++;
                assertSameAsJackson(text.toString(), plain.get());
            }
        }
        assertTrue(read > 1000, read + " were read");
    }

    private static void assertSameAsJackson(String text, Map<String, Object> read) throws JsonProcessingException {
        StringBuilder written = new StringBuilder();
        PlainJson.write(read, written);
        assertEquals(JACKSON.readTree(text), JACKSON.readTree(written.toString()), text);
    }
}
