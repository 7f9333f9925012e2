package dev.pysandbox.execution;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.pysandbox.api.Config;
import dev.pysandbox.api.ExecutionRequest;
import dev.pysandbox.api.ExecutionResult;
import dev.pysandbox.api.InputFile;
import dev.pysandbox.api.Status;
import dev.pysandbox.api.ValidationReport;
import dev.pysandbox.hints.Distributions;
import dev.pysandbox.hints.Hints;
import dev.pysandbox.script.InvalidScriptException;
import dev.pysandbox.script.PythonScript;
import dev.pysandbox.script.Requirement;
import dev.pysandbox.script.ScriptRequirements;
import dev.pysandbox.script.VersionSpecifiers;
import dev.pysandbox.supervisor.SupervisorProgram;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** Checks the metadata, the syntax and the imports of a script without running it. */
record Validator(Executor executor, Config config) {
    ValidationReport validate(String source, List<String> dependencies, Consumer<String> progress) {
        List<String> warnings = new ArrayList<>();
        Optional<ScriptRequirements> known = Optional.empty();
        Optional<String> problem = Optional.empty();
        try {
            PythonScript script = PythonScript.parse(source);
            warnings.addAll(script.warnings());
            known = Optional.of(ScriptRequirements.merge(
                    script, dependencies, config.install().pythonVersion()));
            ScriptPlan.check(
                    known.get(), config.limits().policy(), config.install().packageAge());
            problem = inspect(source, known.get(), warnings, progress)
                    .map(found -> found
                            + Hints.forSource(ExecutionRequest.of(source).withDependencies(dependencies), found)
                                    .map(hint -> "; " + hint)
                                    .orElse(""));
        } catch (InvalidScriptException e) {
            problem = Optional.ofNullable(e.getMessage());
        }
        return new ValidationReport(
                problem,
                known.flatMap(ScriptRequirements::requiresPython).map(VersionSpecifiers::written),
                known.map(ScriptRequirements::dependencies).orElse(List.of()),
                warnings);
    }

    private Optional<String> inspect(
            String source, ScriptRequirements requirements, List<String> warnings, Consumer<String> progress) {
        ExecutionResult result = executor.executeBundled("inspect_script.py", files(source), progress);
        if (result.status() != Status.OK) {
            warnings.add("the syntax was not checked: "
                    + result.message()
                            .or(result::hint)
                            .orElseGet(() -> InvalidScriptException.quote(
                                    result.stderr().text().strip())));
            return Optional.empty();
        }
        try {
            JsonNode report = new ObjectMapper().readTree(result.stdout().text());
            report.path("warnings").forEach(warning -> warnings.add(warning.asText()));
            if (report.has("error")) {
                return Optional.of(syntaxError(report.path("error")));
            }
            if (config.limits().policy() == Config.Policy.RESTRICTED) {
                return violations(report.path("violations"));
            }
            undeclared(report.path("imports"), requirements, warnings);
            if (report.path("more_imports").asInt() > 0) {
                warnings.add(report.path("more_imports").asInt() + " more modules are imported and were not checked");
            }
            return Optional.empty();
        } catch (IOException e) {
            warnings.add("the syntax was not checked: the output of the checker is not valid");
            return Optional.empty();
        }
    }

    private List<InputFile> files(String source) {
        List<InputFile> files = new ArrayList<>();
        files.add(new InputFile("source.py", source.getBytes(StandardCharsets.UTF_8)));
        if (config.limits().policy() == Config.Policy.RESTRICTED) {
            files.add(new InputFile("restricted.py", SupervisorProgram.restrictedPolicy()));
        }
        return files;
    }

    /** Joins the violations into one text, one per line; empty if there are none. */
    private static Optional<String> violations(JsonNode violations) {
        List<String> lines = new ArrayList<>();
        violations.forEach(violation -> lines.add(violation.asText()));
        return lines.isEmpty() ? Optional.empty() : Optional.of(String.join("\n  ", lines));
    }

    private static String syntaxError(JsonNode error) {
        String place = error.path("line").isInt()
                ? "line " + error.path("line").asInt()
                        + (error.path("column").isInt()
                                ? ", column " + error.path("column").asInt()
                                : "") + ": "
                : "";
        return place + "syntax error: " + error.path("message").asText();
    }

    private static void undeclared(JsonNode imports, ScriptRequirements requirements, List<String> warnings) {
        Set<String> declared = requirements.requirements().stream()
                .map(Requirement::normalizedName)
                .collect(Collectors.toSet());
        for (JsonNode each : imports) {
            String module = each.path("module").asText();
            String distribution = Distributions.providing(module);
            if (!declared.contains(distribution) && declared.stream().noneMatch(name -> mayProvide(name, module))) {
                warnings.add("line " + each.path("line").asInt() + ": imports " + module
                        + ", which no dependency seems to provide; " + Distributions.advice(module));
            }
        }
    }

    /**
     * Returns whether a distribution's name contains the module's name, as in google-cloud-storage or python-dateutil.
     */
    private static boolean mayProvide(String distribution, String module) {
        return distribution.contains(module.toLowerCase(Locale.ROOT).replace('_', '-'));
    }
}
