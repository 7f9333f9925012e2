package dev.pysandbox.api;

import dev.pysandbox.support.ByteSize;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The result of one execution.
 *
 * @param message one sentence that the caller can act on; present only if the script could not run or the execution was
 *     cancelled
 * @param exitCode the script's exit code, or 128 + N if signal N killed it; empty if the script did not run, was
 *     cancelled or exceeded the output limit
 * @param duration the time from sending the script to its sandbox until its last process ended
 * @param value the repr of the value of the script's last statement, if that is an expression and nothing was printed
 * @param variables name to JSON value (maps, lists, strings, numbers, booleans), in the requested order
 */
public record ExecutionResult(
        Status status,
        Optional<String> message,
        CapturedText stdout,
        CapturedText stderr,
        OptionalInt exitCode,
        Duration duration,
        Optional<Duration> install,
        Optional<String> value,
        Map<String, Object> variables,
        List<ProducedFile> files,
        String pythonVersion,
        String sandbox,
        String network,
        Optional<String> hint,
        List<String> warnings,
        Optional<Duration> cpu,
        Optional<ByteSize> peakMemory) {

    public ExecutionResult {
        variables = new LinkedHashMap<>(variables);
        files = List.copyOf(files);
        warnings = List.copyOf(warnings);
    }

    /** Returns this result with other files and warnings. */
    public ExecutionResult with(List<ProducedFile> files, List<String> warnings) {
        return new ExecutionResult(
                status,
                message,
                stdout,
                stderr,
                exitCode,
                duration,
                install,
                value,
                variables,
                files,
                pythonVersion,
                sandbox,
                network,
                hint,
                warnings,
                cpu,
                peakMemory);
    }

    public boolean timedOut() {
        return status == Status.TIMED_OUT;
    }
}
