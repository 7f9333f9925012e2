package dev.pysandbox.api;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** One script to run: its text, what it needs, and what to report afterwards. */
public record ExecutionRequest(
        String script,
        List<String> dependencies,
        Optional<Duration> timeout,
        List<InputFile> files,
        List<String> variables) {

    public ExecutionRequest {
        dependencies = List.copyOf(dependencies);
        files = List.copyOf(files);
        variables = List.copyOf(variables);
    }

    /** A script with no dependencies beside those it names itself, and the default timeout. */
    public static ExecutionRequest of(String script) {
        return new ExecutionRequest(script, List.of(), Optional.empty(), List.of(), List.of());
    }

    public ExecutionRequest withDependencies(List<String> dependencies) {
        return new ExecutionRequest(script, dependencies, timeout, files, variables);
    }

    public ExecutionRequest withTimeout(Duration timeout) {
        return new ExecutionRequest(script, dependencies, Optional.of(timeout), files, variables);
    }

    public ExecutionRequest withFiles(List<InputFile> files) {
        return new ExecutionRequest(script, dependencies, timeout, files, variables);
    }

    public ExecutionRequest withVariables(List<String> variables) {
        return new ExecutionRequest(script, dependencies, timeout, files, variables);
    }
}
