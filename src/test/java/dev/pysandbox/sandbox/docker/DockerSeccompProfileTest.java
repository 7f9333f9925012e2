package dev.pysandbox.sandbox.docker;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.pysandbox.sandbox.seccomp.SeccompPolicy;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DockerSeccompProfileTest {
    @Test
    void allowsTheSameCallsAsTheFilter() throws Exception {
        JsonNode profile = profile();
        assertEquals("SCMP_ACT_ERRNO", profile.get("defaultAction").asText());
        int sockets = 0;
        Set<String> allowed = new HashSet<>();
        for (JsonNode entry : profile.get("syscalls")) {
            boolean allows = entry.get("action").asText().equals("SCMP_ACT_ALLOW");
            sockets += allows && entry.get("names").get(0).asText().equals("socket") ? 1 : 0;
            if (!entry.has("args") && allows) {
                entry.get("names").forEach(name -> allowed.add(name.asText()));
            }
        }
        Set<String> expected = new HashSet<>(SeccompPolicy.load().allowed());
        assertEquals(expected, allowed);
        assertEquals(27, sockets, "three families of three types and three protocols");
    }

    @ParameterizedTest
    @CsvSource({
        "6, 31, false", // TCP_ULP
        "0x100000006, 0x700000001f, false",
        "6, 7, true",
        "1, 7, true", // a profile can't express success without any effect
        "1, 31, true",
        "0x80000006, 31, true",
    })
    void allowsTheOptionsOfSocketsThatAreNotRefused(String level, String option, boolean allowed) throws Exception {
        long[] arguments = {3, Long.decode(level), Long.decode(option)};
        boolean found = false;
        for (JsonNode entry : profile().get("syscalls")) {
            if (entry.get("names").get(0).asText().equals("setsockopt")) {
                boolean holds = true;
                for (JsonNode each : entry.get("args")) {
                    long masked = arguments[each.get("index").asInt()]
                            & each.get("value").asLong();
                    holds &= masked == each.get("valueTwo").asLong();
                }
                found |= holds;
            }
        }
        assertEquals(allowed, found);
    }

    @Test
    void refusesNetlinkWithTheErrorThatLibrariesExpect() throws Exception {
        List<JsonNode> refusals = entries("socket", "SCMP_ACT_ERRNO");
        assertEquals(1, refusals.size());
        assertEquals(22, refusals.get(0).get("errnoRet").asInt());
        assertEquals(16, refusals.get(0).get("args").get(0).get("valueTwo").asInt());
    }

    @Test
    void allowsOneSignalAtTheParentsDeath() throws Exception {
        List<JsonNode> pairs = entries("prctl", "SCMP_ACT_ALLOW").stream()
                .filter(entry -> entry.get("args").get(0).get("valueTwo").asInt() == 1)
                .toList();
        assertEquals(1, pairs.size());
        assertEquals(1, pairs.get(0).get("args").get(1).get("index").asInt());
        assertEquals(9, pairs.get(0).get("args").get(1).get("valueTwo").asInt());
    }

    private static List<JsonNode> entries(String name, String action) throws IOException {
        List<JsonNode> found = new ArrayList<>();
        for (JsonNode entry : profile().get("syscalls")) {
            if (entry.get("names").get(0).asText().equals(name)
                    && entry.get("action").asText().equals(action)) {
                found.add(entry);
            }
        }
        return found;
    }

    private static JsonNode profile() throws IOException {
        return new ObjectMapper().readTree(DockerSeccompProfile.of(SeccompPolicy.load()));
    }
}
