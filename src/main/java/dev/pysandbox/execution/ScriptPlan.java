package dev.pysandbox.execution;

import dev.pysandbox.api.Config;
import dev.pysandbox.api.Config.Policy;
import dev.pysandbox.api.ExecutionRequest;
import dev.pysandbox.script.InvalidScriptException;
import dev.pysandbox.script.LeadingImports;
import dev.pysandbox.script.PythonScript;
import dev.pysandbox.script.Requirement;
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
 * The result of checking a request before anything runs.
 *
 * @param requirements the packages and the Python version that the script requires
 * @param imports the modules that a sandbox may import before it receives the script
 */
record ScriptPlan(
        ScriptRequirements requirements, Task task, Duration timeout, List<String> imports, List<String> warnings) {
    private static final Duration LEAST_TIMEOUT = Duration.ofSeconds(1);

    /** Files that an import may read: modules, and settings in the working folder. */
    private static final Pattern READ_BY_IMPORTS = Pattern.compile("/|^\\.|\\.(py|pyc|pyd|so)$|^matplotlibrc$");

    ScriptPlan {
        imports = List.copyOf(imports);
        warnings = List.copyOf(warnings);
    }

    /**
     * Parses the script, merges its dependencies and checks them, the policy, the input files and the timeout.
     *
     * @param live whether the caller wants output while the script runs
     */
    static ScriptPlan of(ExecutionRequest request, Config config, Policy policy, boolean live)
            throws InvalidScriptException {
        ScriptRequirements requirements = ScriptRequirements.merge(
                PythonScript.parse(request.script()),
                request.dependencies(),
                config.install().pythonVersion());
        check(requirements, policy, config.install().packageAge());
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

    /**
     * Refuses dependencies that the settings do not allow. The restricted policy allows only the standard library. If
     * packages must have a minimum age, URLs are refused, because the age of the file at a URL is unknown.
     */
    static void check(ScriptRequirements requirements, Policy policy, Optional<Duration> packageAge)
            throws InvalidScriptException {
        if (policy == Policy.RESTRICTED && !requirements.dependencies().isEmpty()) {
            throw new InvalidScriptException("dependencies: the restricted policy allows none, got "
                    + String.join(", ", requirements.dependencies()));
        }
        for (Requirement requirement : requirements.requirements()) {
            if (requirement.url().isPresent()
                    && packageAge.filter(age -> !age.isZero()).isPresent()) {
                throw new InvalidScriptException("dependency '" + requirement.normalizedName()
                        + " @ …': --package-age requires packages that have been public for "
                        + packageAge.get().toDays() + " days, and the age of a file at a URL is unknown. To fix:"
                        + " name the package without a URL, as in \"" + requirement.normalizedName() + "\"");
            }
        }
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

    /** Returns the modules that may be imported in advance; none if an input file could affect an import. */
    static List<String> importsOf(String script, Task task) {
        boolean alone = task.files().stream()
                .noneMatch(file -> READ_BY_IMPORTS.matcher(file.name()).find());
        return alone ? LeadingImports.of(script) : List.of();
    }
}
