package dev.pysandbox.run;

import dev.pysandbox.process.ByteSize;
import dev.pysandbox.sandbox.Network;
import dev.pysandbox.script.ScriptRequirements;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** One actionable sentence about what went wrong, told from what the script said last. */
record Hints(
        Config config,
        ExecutionRequest request,
        ScriptRequirements requirements,
        String stderr,
        List<String> refused,
        List<ProducedFile> made) {
    private static final Pattern MISSING_MODULE = Pattern.compile("ModuleNotFoundError: No module named '([\\w.]+)'");
    private static final Pattern NO_NETWORK = Pattern.compile(
            "Temporary failure in name resolution|Name or service not known|Network is unreachable|ProxyError"
                    + "|Tunnel connection failed|ConnectionRefusedError");
    private static final int LONGEST_LINE = 200;

    Optional<String> afterError() {
        return files().or(this::missingModule)
                .or(this::network)
                .or(this::memory)
                .or(() -> new ErrorHints(config, request, stderr, made).hint());
    }

    String afterTimeout(Duration timeout, String lastLine) {
        String last = lastLine.isEmpty()
                ? "it had printed nothing"
                : "the last line it printed was: " + lastLine.substring(0, Math.min(LONGEST_LINE, lastLine.length()));
        String more = timeout.compareTo(config.maxTimeout()) < 0
                ? "; pass timeout_seconds=" + config.maxTimeout().toSeconds() + " or less if it needs longer"
                : "; split the work into smaller runs";
        return "stopped after " + timeout.toSeconds() + " s; " + last + more;
    }

    String afterOutOfMemory(Optional<ByteSize> peak) {
        return "killed for using more than the limit of " + config.maxMemory() + " of memory"
                + peak.map(used -> " (it used " + used.bytes() / (1 << 20) + " MiB)")
                        .orElse("") + "; process the data in smaller pieces (--max-memory raises the limit)";
    }

    private Optional<String> files() {
        return stderr.contains("killed for making more than 100000 files")
                ? Optional.of("the script made more than 100000 files; put many small pieces into one file or archive")
                : Optional.empty();
    }

    private Optional<String> missingModule() {
        Matcher matcher = MISSING_MODULE.matcher(stderr);
        String module = "";
        while (matcher.find()) {
            module = matcher.group(1);
        }
        if (module.isEmpty() || module.endsWith("tkinter")) {
            return Optional.empty();
        }
        String top = module.split("\\.", 2)[0];
        String distribution = Distributions.providing(module);
        boolean declared = requirements.requirements().stream()
                .anyMatch(each -> each.normalizedName().equals(distribution));
        // The newer ones have no pkg_resources any more.
        String wanted = top.equals("pkg_resources") ? "setuptools<81" : distribution;
        return Optional.of(
                declared && wanted.equals(distribution)
                        ? "module " + module + " is not part of " + distribution + "; check the import"
                        : "module " + module + " is not installed; call again with "
                                + new DependencyList(request.dependencies()).replacing(distribution, wanted));
    }

    private Optional<String> network() {
        if (!refused.isEmpty()) {
            return Optional.of("the network policy refused " + String.join(", ", refused)
                    + "; --network host or --allow-host, set by whoever runs the server, would allow it");
        }
        if (NO_NETWORK.matcher(stderr).find()) {
            return Optional.of(
                    config.network() == Network.NONE
                            ? "the script has no network; the server was started with --network none"
                            : "only HTTP and HTTPS through the proxy in HTTPS_PROXY reach the internet; plain sockets"
                                    + " and name look-ups need --network host");
        }
        return Optional.empty();
    }

    private Optional<String> memory() {
        return stderr.stripTrailing().endsWith("MemoryError") || stderr.contains("\nMemoryError:")
                ? Optional.of(afterOutOfMemory(Optional.empty()))
                : Optional.empty();
    }
}
