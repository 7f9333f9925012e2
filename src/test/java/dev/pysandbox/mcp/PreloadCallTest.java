package dev.pysandbox.mcp;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

final class PreloadCallTest {
    @Test
    void itCallsTheToolOnceAndWaitsForIt() throws Exception {
        List<String> calls = new CopyOnWriteArrayList<>();
        ToyTool tool = new ToyTool("record", (arguments, context) -> {
            calls.add(String.valueOf(arguments.get("text")));
            return "done";
        });
        PreloadCall.run(
                new McpServer(List.of(tool), false),
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":"
                        + "{\"name\":\"record\",\"arguments\":{\"text\":\"once\"}}}");
        assertEquals(List.of("once"), calls);
    }
}
