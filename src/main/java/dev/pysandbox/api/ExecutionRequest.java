package dev.pysandbox.api;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** A script to run. */
public record ExecutionRequest(
        String script,
        List<String> dependencies,
        Optional<Duration> timeout,
        List<InputFile> files,
        List<String> variables) {

    public ExecutionRequest {
        Objects.requireNonNull(script, "script");
        dependencies = List.copyOf(dependencies);
        files = List.copyOf(files);
        variables = List.copyOf(variables);
    }

    /** Returns a request with the default timeout and without further dependencies than those in the script. */
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
