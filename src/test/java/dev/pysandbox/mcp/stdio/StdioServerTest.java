package dev.pysandbox.mcp.stdio;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.pysandbox.execution.LocalPythonSandbox;
import dev.pysandbox.mcp.tools.SandboxTool;
import dev.pysandbox.mcp.tools.SandboxTools;
import java.io.ByteArrayInputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

final class StdioServerTest {
    @Test
    void theLoaderStartsOnce() {
        CountDownLatch released = new CountDownLatch(1);
        Supplier<List<SandboxTool>> slow = () -> {
            await(released);
            return List.of();
        };
        // As long as the server loads, a second loader would wait for the sandbox.
        FutureTask<LocalPythonSandbox> opening = new FutureTask<>(() -> {
            throw new IllegalStateException("not opened here");
        });
        String list = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}\n";
        String ping = "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"ping\"}\n";
        new StdioServer(
                        slow,
                        false,
                        Optional.of(SandboxTools.texts(List.of())),
                        Optional.of(opening),
                        new ByteArrayInputStream((list + ping + ping).getBytes(StandardCharsets.UTF_8)),
                        OutputStream.nullOutputStream())
                .run();
        try {
            assertEquals(
                    1,
                    Thread.getAllStackTraces().keySet().stream()
                            .filter(thread -> thread.getName().equals("mcp-loader"))
                            .count());
        } finally {
            released.countDown();
            opening.run();
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
