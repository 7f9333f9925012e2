package dev.pysandbox.mcp;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class ProgressTest {
    private long now = 7;
    private final List<Map<String, Object>> sent = new ArrayList<>();
    private final Progress progress = new Progress("token", () -> now, each -> sent.add(each.params()));

    private void pass(Duration time) {
        for (Duration t = Duration.ZERO; t.compareTo(time) < 0; t = t.plusMillis(250)) {
            now += Duration.ofMillis(250).toNanos();
            progress.tick();
        }
    }

    private List<Object> messages() {
        return sent.stream().map(params -> params.get("message")).toList();
    }

    @Test
    void holdsBackWhatComesTooFastAndSendsTheLatestOfIt() {
        progress.report("a");
        progress.report("b");
        progress.report("c");
        assertEquals(List.of("a"), messages());
        pass(Duration.ofSeconds(1));
        assertEquals(List.of("a", "c"), messages());
    }

    @Test
    void givesASignOfLifeWhileNothingElseHappens() {
        progress.report("installing");
        pass(Duration.ofSeconds(12));
        assertEquals(List.of("installing", "installing, 5 s", "installing, 10 s"), messages());
    }

    @Test
    void countsUpwards() {
        progress.report("a");
        pass(Duration.ofSeconds(11));
        assertEquals(
                List.of(1, 2, 3),
                sent.stream().map(params -> params.get("progress")).toList());
    }

    @Test
    void isSilentOnceClosed() {
        progress.report("a");
        progress.report("b");
        progress.close();
        pass(Duration.ofSeconds(20));
        assertEquals(List.of("a"), messages());
    }
}
