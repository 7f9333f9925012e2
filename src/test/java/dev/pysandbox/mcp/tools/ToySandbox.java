package dev.pysandbox.mcp.tools;

import dev.pysandbox.api.EnvironmentReport;
import dev.pysandbox.api.ExecutionListener;
import dev.pysandbox.api.ExecutionRequest;
import dev.pysandbox.api.ExecutionResult;
import dev.pysandbox.api.PythonSandbox;
import dev.pysandbox.api.ValidationReport;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;

/** A sandbox that runs nothing: a function computes the result of each script. */
public record ToySandbox(Function<ExecutionRequest, ExecutionResult> scripts) implements PythonSandbox {
    public List<SandboxTool> tools(String... dataFolders) {
        return SandboxTools.of(CompletableFuture.completedFuture(this), List.of(dataFolders));
    }

    /** Returns the tool result of a script with this result. */
    public static CallToolResult toolResult(ExecutionResult result) {
        return new ToySandbox(request -> result).tools().get(0).call(Map.of("script", ""), CallContext.SILENT);
    }

    @Override
    public <T> T execute(ExecutionRequest request, ExecutionListener listener, Function<ExecutionResult, T> use) {
        listener.progress("installing 1 package");
        return use.apply(scripts.apply(request));
    }

    @Override
    public ValidationReport validate(String script, List<String> dependencies, Consumer<String> progress) {
        return new ValidationReport(Optional.empty(), Optional.empty(), dependencies, List.of());
    }

    @Override
    public EnvironmentReport check(Consumer<String> progress) {
        return new EnvironmentReport(
                "3.13.5",
                "0.13.7 (/usr/bin/uv)",
                "Linux x86_64",
                "native",
                "ok",
                Duration.ofSeconds(30),
                Duration.ofSeconds(300),
                102400,
                true,
                List.of("Home readable: no"),
                List.of("No cgroup: sudo something"));
    }

    @Override
    public Optional<String> warm(Consumer<String> progress) {
        return Optional.empty();
    }

    @Override
    public void close() {}
}
