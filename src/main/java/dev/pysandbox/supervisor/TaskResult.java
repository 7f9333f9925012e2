package dev.pysandbox.supervisor;

import dev.pysandbox.support.ByteSize;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * How a task ended.
 *
 * @param exitCode the exit code of the task, or 128 + N if signal N killed it
 * @param tooManyFiles whether it was killed because it created more than {@link #MOST_FILES} files
 * @param missingFigures how many figures it showed beyond {@link #MOST_FIGURES}
 */
public record TaskResult(
        int exitCode,
        Duration cpu,
        ByteSize peakMemory,
        boolean outOfMemory,
        boolean tooManyFiles,
        int missingFigures,
        boolean timedOut) {
    /** The most figures of a task that are sent. */
    public static final int MOST_FIGURES = Bound.FIGURES.most();

    /** The most files in one tmpfs folder of the sandbox. */
    public static final int MOST_FILES = Bound.INODES.most();

    /** Reads words such as {@code code=0 cpu_us=1200}. */
    static TaskResult parse(String words) throws Frame.BrokenProtocolException {
        try {
            Map<String, Long> values = new HashMap<>();
            for (String word : words.split(" ", -1)) {
                String[] parts = word.split("=", 2);
                values.put(parts[0], Long.valueOf(parts[1]));
            }
            long code = values.getOrDefault("code", 0L);
            return new TaskResult(
                    code < 0 ? (int) (128 - code) & 0xff : (int) code & 0xff,
                    Duration.ofNanos(Math.multiplyExact(values.getOrDefault("cpu_us", 0L), 1000L)),
                    new ByteSize(values.getOrDefault("peak", 0L)),
                    values.getOrDefault("oom", 0L) != 0,
                    values.getOrDefault("files", 0L) != 0,
                    (int) Math.max(0, Math.min(Integer.MAX_VALUE, values.getOrDefault("figures", 0L))),
                    false);
        } catch (RuntimeException e) {
            throw new Frame.BrokenProtocolException("an invalid exit frame");
        }
    }

    /** Returns a copy that is marked as timed out. */
    TaskResult asTimedOut() {
        return new TaskResult(exitCode, cpu, peakMemory, outOfMemory, tooManyFiles, missingFigures, true);
    }

    /** Returns the result of a task that stopped responding and was killed. */
    static TaskResult killed(boolean timedOut) {
        return new TaskResult(137, Duration.ZERO, new ByteSize(0), false, false, 0, timedOut);
    }
}
