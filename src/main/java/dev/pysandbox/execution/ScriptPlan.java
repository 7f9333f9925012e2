package dev.pysandbox.execution;

import dev.pysandbox.api.Config;
import dev.pysandbox.api.Config.Policy;
import dev.pysandbox.api.ExecutionRequest;
import dev.pysandbox.script.InvalidScriptException;
import dev.pysandbox.script.LeadingImports;
import dev.pysandbox.script.PythonScript;
import dev.pysandbox.script.ScriptRequirements;
import dev.pysandbox.supervisor.Task;
import dev.pysandbox.support.ByteSize;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What an execution needs to know of a script before anything runs.
 *
 * @param requirements the packages and the Python that it asks for
 * @param imports the modules that may be imported before the script is there
 */
record ScriptPlan(
        ScriptRequirements requirements, Task task, Duration timeout, List<String> imports, List<String> warnings) {
    private static final Duration LEAST_TIMEOUT = Duration.ofSeconds(1);
    private static final Pattern MAYBE_MODULE = Pattern.compile("/|\\.(py|pyc|pyd|so)$");

    ScriptPlan {
        imports = List.copyOf(imports);
        warnings = List.copyOf(warnings);
    }

    /**
     * Parses the script, merges its dependencies and checks them against the policy.
     *
     * @param live whether output is wanted while the script runs
     */
    static ScriptPlan of(ExecutionRequest request, Config config, Policy policy, boolean live)
            throws InvalidScriptException {
        ScriptRequirements requirements = ScriptRequirements.merge(
                PythonScript.parse(request.script()),
                request.dependencies(),
                config.install().pythonVersion());
        policy.check(requirements);
        config.install().check(requirements);
        Task task = new Task(
                List.of(),
                Optional.of(request.script().getBytes(StandardCharsets.UTF_8)),
                Inputs.files(request.files()),
                Inputs.variables(request.variables()),
                Map.of(),
                live,
                policy == Policy.RESTRICTED,
                config.shared().keepFiles().isPresent() ? config.limits().tmpSize() : new ByteSize(0));
        List<String> warnings = new ArrayList<>(requirements.warnings());
        Duration timeout = clamp(
                request.timeout().orElse(config.limits().defaultTimeout()),
                config.limits().maxTimeout(),
                warnings);
        return new ScriptPlan(requirements, task, timeout, importsOf(request.script(), task), warnings);
    }

    /** Clamps the requested timeout and warns if it changed. */
    private static Duration clamp(Duration timeout, Duration most, List<String> warnings) {
        Duration clamped =
                timeout.compareTo(LEAST_TIMEOUT) < 0 ? LEAST_TIMEOUT : timeout.compareTo(most) > 0 ? most : timeout;
        if (!clamped.equals(timeout)) {
            warnings.add("timeout_seconds " + timeout.toSeconds() + " is outside 1 to " + most.toSeconds() + "; "
                    + clamped.toSeconds() + " was used");
        }
        return clamped;
    }

    /** A file beside the script could replace a module: then nothing may be imported in advance. */
    private static List<String> importsOf(String script, Task task) {
        boolean alone = task.files().stream()
                .noneMatch(file -> MAYBE_MODULE.matcher(file.name()).find());
        return alone ? LeadingImports.of(script) : List.of();
    }
}
