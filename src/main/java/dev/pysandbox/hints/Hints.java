package dev.pysandbox.hints;

import dev.pysandbox.api.Config;
import dev.pysandbox.api.ExecutionRequest;
import dev.pysandbox.api.Network;
import dev.pysandbox.api.ProducedFile;
import dev.pysandbox.script.ScriptRequirements;
import dev.pysandbox.support.ByteSize;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Creates one sentence that says how to fix a failed script, from the end of its output. */
public record Hints(
        Config config,
        ExecutionRequest request,
        ScriptRequirements requirements,
        String stderr,
        List<String> refused,
        List<ProducedFile> made) {
    private static final Pattern NO_NETWORK = Pattern.compile(
            "Temporary failure in name resolution|Name or service not known|Network is unreachable|ProxyError"
                    + "|Tunnel connection failed|ConnectionRefusedError");
    private static final int LONGEST_LINE = 100;
    private static final int LONGEST_HINT = 8000;
    private static final int MOST_HOSTS = 5;
    private static final int LONGEST_TRACEBACK = 6000;

    public Optional<String> afterError(Optional<ByteSize> peak) {
        return new MissingModule(request, requirements, end())
                .hint()
                .or(this::network)
                .or(() -> memory(peak))
                .or(() -> new SourceHints(request, end()).hint())
                .or(() -> new ErrorHints(config, request, end(), made).hint())
                .filter(hint -> hint.length() <= LONGEST_HINT);
    }

    /** Returns the end of stderr, which contains the exception that ended the script. */
    private String end() {
        return "\n" + stderr.substring(Math.max(0, stderr.length() - LONGEST_TRACEBACK));
    }

    public String afterTimeout(Duration timeout, String lastLine) {
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

    private Optional<String> network() {
        if (!refused.isEmpty()) {
            return Optional.of("the network policy refused " + refusedHosts()
                    + "; --network host or --allow-host, set where the server is started, would allow it");
        }
        if (NO_NETWORK.matcher(stderr).find()) {
            return Optional.of(
                    config.network().mode() == Network.NONE
                            ? "the script has no network; the server was started with --network none"
                            : "only HTTP and HTTPS through the proxy in HTTPS_PROXY reach the internet; plain sockets"
                                    + " and name look-ups need --network host");
        }
        return Optional.empty();
    }

    private String refusedHosts() {
        String hosts = refused.stream()
                .limit(MOST_HOSTS)
                .map(host -> host.substring(0, Math.min(LONGEST_LINE, host.length())))
                .collect(Collectors.joining(", "));
        return refused.size() > MOST_HOSTS ? hosts + " and " + (refused.size() - MOST_HOSTS) + " more" : hosts;
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
