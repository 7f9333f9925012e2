package dev.pysandbox.hints;

import dev.pysandbox.api.Config;
import dev.pysandbox.api.ExecutionRequest;
import dev.pysandbox.api.ProducedFile;
import dev.pysandbox.script.ScriptRequirements;
import dev.pysandbox.support.ByteSize;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** Creates one sentence that says how to fix a failed script, from the end of its output. */
public record Hints(
        Config config,
        ExecutionRequest request,
        ScriptRequirements requirements,
        String stderr,
        List<String> refused,
        List<ProducedFile> made) {
    static final String TOO_MANY_PROCESSES =
            "can't start new thread|BlockingIOError: \\[Errno 11]|fork: (?:retry: )?Resource temporarily unavailable";
    private static final Pattern PROCESSES = Pattern.compile(TOO_MANY_PROCESSES);
    private static final String SYNTAX_ERROR = "syntax error: ";
    private static final int LONGEST_LINE = 100;
    private static final int LONGEST_HINT = 8000;
    private static final int LONGEST_TRACEBACK = 6000;

    public Optional<String> afterError(Optional<ByteSize> peak) {
        return new MissingModule(request, requirements, end())
                .hint()
                .or(() -> new NetworkHints(config, new ScriptText(request.script()), end(), refused).hint())
                .or(() -> memory(peak))
                .or(() -> new SourceHints(request, end()).hint())
                .or(() -> new ErrorHints(config, request, end(), made).hint())
                .filter(hint -> hint.length() <= LONGEST_HINT)
                .filter(hint -> !new DependencyList(request.dependencies()).isAllThatChanges(hint));
    }

    /** Returns the hint for a script that a signal of native code ended. */
    public String afterCrash(int signal) {
        String crash = "native code crashed (signal " + signal + ")";
        return stderr.contains("Fatal Python error") || request.script().contains("faulthandler")
                ? crash + " in the call that stderr shows: call it with other arguments, or use another package"
                : crash + "; to see in which line, "
                        + ScriptEdit.putFirst("import faulthandler; faulthandler.enable()");
    }

    /** Returns what to change in a text that is not a Python 3 script but contains one, for a message of the compiler. */
    public static Optional<String> forSource(ExecutionRequest request, String problem) {
        int message = problem.indexOf(SYNTAX_ERROR);
        return message < 0
                ? Optional.empty()
                : new SourceHints(request, "")
                        .notPython(problem.substring(message + SYNTAX_ERROR.length()))
                        .filter(hint -> hint.length() <= LONGEST_HINT);
    }

    static String tooManyProcesses(Config config) {
        return "a script may have " + config.limits().maxProcesses()
                + " processes and threads: use fewer (--max-processes raises the limit)";
    }

    /** Returns the end of stderr, which contains the exception that ended the script. */
    private String end() {
        return "\n" + stderr.substring(Math.max(0, stderr.length() - LONGEST_TRACEBACK));
    }

    public String afterTimeout(Duration timeout, String lastLine) {
        if (PROCESSES.matcher(end()).find()) {
            return tooManyProcesses(config);
        }
        if (SourceHints.STARTS_ITSELF.matcher(end()).find()) {
            return SourceHints.MAIN_ONLY;
        }
        String last = lastLine.isEmpty()
                ? "it had printed nothing"
                : "the last line it printed was: " + ScriptEdit.quoted(lastLine, LONGEST_LINE);
        String more = timeout.compareTo(config.limits().maxTimeout()) < 0
                ? "; if it needs longer, call again with timeout_seconds="
                        + Math.min(config.limits().maxTimeout().toSeconds(), 10 * Math.max(1, timeout.toSeconds()))
                : "; split the work into smaller runs";
        return "stopped after " + timeout.toSeconds() + " s; " + last + more;
    }

    public String afterOutOfMemory(Optional<ByteSize> peak) {
        return "the script needs more than the limit of " + config.limits().maxMemory() + " of memory"
                + peak.map(used -> " (it used " + used.readable() + ")").orElse("")
                + "; process the data in smaller pieces (--max-memory raises the limit)";
    }

    public static String afterTooManyFiles(int most) {
        return "the script was killed because it made more than " + most
                + " files; put many small pieces into one file or archive";
    }

    private Optional<String> memory(Optional<ByteSize> peak) {
        if (!stderr.stripTrailing().endsWith("MemoryError") && !stderr.contains("MemoryError: ")) {
            return Optional.empty();
        }
        long limit = config.limits().maxMemory().bytes();
        return Optional.of(
                peak.filter(used -> used.bytes() < limit / 2).isPresent()
                        ? afterLargeRequest()
                        : afterOutOfMemory(peak));
    }

    /** The kernel refused to reserve memory: the limit did not kill the script, which had used little. */
    private String afterLargeRequest() {
        return "one request for memory was larger than this machine can give; the limit is "
                + config.limits().maxMemory()
                + ": process the data in smaller pieces (--max-memory raises the limit)";
    }
}
