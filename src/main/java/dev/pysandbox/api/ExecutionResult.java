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
 * @param message one sentence the caller can act on; present where the status is anything but OK or SCRIPT_ERROR
 * @param exitCode the script's own, or 128 + N for a death by signal N; empty where it never ran
 * @param duration of the script alone; {@code install} is the time that its environment took, where it had to be made
 * @param variables name to JSON value (maps, lists, strings, numbers, booleans), in the order they were asked for
 */
public record ExecutionResult(
        Status status,
        Optional<String> message,
        CapturedText stdout,
        CapturedText stderr,
        OptionalInt exitCode,
        Duration duration,
        Optional<Duration> install,
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

    public boolean timedOut() {
        return status == Status.TIMED_OUT;
    }
}
