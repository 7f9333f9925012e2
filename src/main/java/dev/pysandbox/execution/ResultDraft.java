package dev.pysandbox.execution;

import dev.pysandbox.api.CapturedText;
import dev.pysandbox.api.Config;
import dev.pysandbox.api.ExecutionRequest;
import dev.pysandbox.api.ExecutionResult;
import dev.pysandbox.api.Status;
import dev.pysandbox.execution.output.OutputCollector;
import dev.pysandbox.hints.Hints;
import dev.pysandbox.script.ScriptRequirements;
import dev.pysandbox.supervisor.TaskResult;
import dev.pysandbox.support.ByteSize;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** Collects the parts of a result during an execution. */
final class ResultDraft {
    private final Config config;
    private final List<String> warnings = new ArrayList<>();
    private String pythonVersion;
    private String sandbox = "";
    private String network = "";
    private Optional<Duration> install = Optional.empty();
    private Duration duration = Duration.ZERO;
    private Map<String, Object> variables = Map.of();
    private Optional<OutputCollector> output = Optional.empty();
    private Optional<TaskResult> taskResult = Optional.empty();

    ResultDraft(Config config) {
        this.config = config;
        this.pythonVersion = config.install().pythonVersion();
    }

    void warn(String warning) {
        warnings.add(warning);
    }

    void python(String version) {
        pythonVersion = version;
    }

    void sandbox(String name, String networkLabel) {
        sandbox = name;
        network = networkLabel;
    }

    void installed(Optional<Duration> taken) {
        install = taken;
    }

    void ran(Duration taken, OutputCollector collected, Optional<TaskResult> ended) {
        duration = taken;
        output = Optional.of(collected);
        taskResult = ended;
        collected.failures().forEach(this::warn);
    }

    ExecutionResult prevented(Status status, Exception reason, Optional<String> hint) {
        return result(status, Optional.of(sentence(String.valueOf(reason.getMessage()))), hint);
    }

    ExecutionResult closed() {
        return result(Status.CANCELLED, Optional.of("The sandbox is closed."), Optional.empty());
    }

    ExecutionResult cancelled() {
        return result(Status.CANCELLED, Optional.of("The call was cancelled."), Optional.empty());
    }

    ExecutionResult finish(
            Duration timeout, ExecutionRequest request, ScriptRequirements requirements, List<String> refused) {
        Status status = status();
        Hints hints = new Hints(
                config,
                request,
                requirements,
                output.map(OutputCollector::stderr).orElse(CapturedText.EMPTY).text(),
                refused,
                output.map(OutputCollector::files).orElse(List.of()));
        Optional<String> hint = switch (status) {
            case TIMED_OUT ->
                Optional.of(hints.afterTimeout(
                        timeout, output.map(OutputCollector::lastLine).orElse("")));
            case OUT_OF_MEMORY -> Optional.of(hints.afterOutOfMemory(taskResult.map(TaskResult::peakMemory)));
            case OUTPUT_LIMIT ->
                Optional.of("the script printed more than " + (OutputCollector.MOST_OUTPUT >> 30)
                        + " GiB and was stopped; print less, or write to a file");
            case SCRIPT_ERROR ->
                afterTooManyFiles()
                        .or(() -> hints.afterError(taskResult.map(TaskResult::peakMemory)))
                        .or(() -> afterSignal(hints));
            default -> Optional.empty();
        };
        warnAboutMissingFigures();
        variables = reported(request.variables());
        return result(status, Optional.empty(), hint);
    }

    /** Returns each requested variable, with an error for those that the script did not report before its end. */
    private Map<String, Object> reported(List<String> names) {
        Map<String, Object> known = output.map(OutputCollector::variables).orElse(Map.of());
        Map<String, Object> all = new LinkedHashMap<>();
        names.stream()
                .distinct()
                .forEach(name -> all.put(
                        name,
                        known.containsKey(name)
                                ? known.get(name)
                                : Map.of("error", "not known: the script did not finish")));
        return all;
    }

    private void warnAboutMissingFigures() {
        int missing = taskResult.map(TaskResult::missingFigures).orElse(0);
        if (missing > 0) {
            warn(missing + (missing == 1 ? " more figure was" : " more figures were") + " not returned: at most "
                    + TaskResult.MOST_FIGURES + " are; draw several as subplots of one figure");
        }
    }

    private Optional<String> afterTooManyFiles() {
        return taskResult.filter(TaskResult::tooManyFiles).map(end -> Hints.afterTooManyFiles(TaskResult.MOST_FILES));
    }

    private Optional<String> afterSignal(Hints hints) {
        return taskResult
                .map(TaskResult::exitCode)
                .filter(code -> code == 134 || code == 136 || code == 139)
                .map(code -> hints.afterCrash(code - 128));
    }

    private Status status() {
        if (taskResult.isEmpty()) {
            return Status.OUTPUT_LIMIT;
        }
        TaskResult end = taskResult.get();
        if (end.timedOut()) {
            return Status.TIMED_OUT;
        }
        if (end.outOfMemory()) {
            return Status.OUT_OF_MEMORY;
        }
        return end.exitCode() == 0 ? Status.OK : Status.SCRIPT_ERROR;
    }

    private ExecutionResult result(Status status, Optional<String> message, Optional<String> hint) {
        return new ExecutionResult(
                status,
                message,
                output.map(OutputCollector::stdout).orElse(CapturedText.EMPTY),
                output.map(OutputCollector::stderr).orElse(CapturedText.EMPTY),
                taskResult.map(end -> OptionalInt.of(end.exitCode())).orElse(OptionalInt.empty()),
                duration,
                install,
                output.flatMap(OutputCollector::value),
                variables,
                output.map(OutputCollector::files).orElse(List.of()),
                pythonVersion,
                sandbox,
                network,
                hint,
                warnings,
                taskResult.map(TaskResult::cpu),
                taskResult.map(TaskResult::peakMemory).filter(peak -> !peak.equals(new ByteSize(0))));
    }

    private static String sentence(String text) {
        return text.endsWith(".") || text.contains("\n") ? text : text + ".";
    }
}
