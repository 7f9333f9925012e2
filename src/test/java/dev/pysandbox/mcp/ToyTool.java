package dev.pysandbox.mcp;

import dev.pysandbox.mcp.tools.CallContext;
import dev.pysandbox.mcp.tools.SandboxTool;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.function.BiFunction;

/** A tool that runs a lambda. */
public record ToyTool(String name, BiFunction<Map<String, Object>, CallContext, String> work) implements SandboxTool {
    public static final ToyTool ECHO =
            new ToyTool("echo", (arguments, caller) -> String.valueOf(arguments.get("text")));
    public static final ToyTool FAIL = new ToyTool("fail", (arguments, caller) -> {
        throw new IllegalStateException("java.lang.Secret at Foo.java:7");
    });
    public static final ToyTool OVERFLOW = new ToyTool("overflow", (arguments, caller) -> {
        throw new StackOverflowError("deep");
    });

    /** Returns a tool that signals its start and waits until it is released or interrupted. */
    public static ToyTool waiting(CountDownLatch begun, CountDownLatch released, CountDownLatch interrupted) {
        return new ToyTool("wait", (arguments, caller) -> {
            begun.countDown();
            try {
                released.await();
                return "released";
            } catch (InterruptedException e) {
                interrupted.countDown();
                return "interrupted";
            }
        });
    }

    @Override
    public Tool definition() {
        return Tool.builder(name, Map.of("type", "object")).description("a toy").build();
    }

    @Override
    public CallToolResult call(Map<String, Object> arguments, CallContext caller) {
        return CallToolResult.builder()
                .addTextContent(work.apply(arguments, caller))
                .isError(false)
                .build();
    }
}
