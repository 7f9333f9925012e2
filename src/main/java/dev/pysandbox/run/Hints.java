package dev.pysandbox.run;

import dev.pysandbox.process.ByteSize;
import dev.pysandbox.sandbox.Network;
import dev.pysandbox.script.ScriptRequirements;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
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
    private static final int LONGEST_TRACEBACK = 6000;

    Optional<String> afterError(Optional<ByteSize> peak) {
        return files().or(this::missingModule)
                .or(this::network)
                .or(() -> memory(peak))
                .or(() -> new SourceHints(request, end()).hint())
                .or(() -> new ErrorHints(config, request, end(), made).hint());
    }

    /** Where the exception is that ended the script. */
    private String end() {
        return "\n" + stderr.substring(Math.max(0, stderr.length() - LONGEST_TRACEBACK));
    }

    String afterTimeout(Duration timeout, String lastLine) {
        String last = lastLine.isEmpty()
                ? "it had printed nothing"
                : "the last line it printed was: " + lastLine.substring(0, Math.min(LONGEST_LINE, lastLine.length()));
        String more = timeout.compareTo(config.maxTimeout()) < 0
                ? "; if it needs longer, call again with timeout_seconds="
                        + Math.min(config.maxTimeout().toSeconds(), 10 * Math.max(1, timeout.toSeconds()))
                : "; split the work into smaller runs";
        return "stopped after " + timeout.toSeconds() + " s; " + last + more;
    }

    String afterOutOfMemory(Optional<ByteSize> peak) {
        return "the script needs more than the limit of " + config.maxMemory() + " of memory"
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
        module = Traceback.imported(end()).filter(isBelow(module)).findFirst().orElse(module);
        String top = module.split("\\.", 2)[0];
        Optional<String> meant =
                Distributions.find(module).isPresent() ? Optional.empty() : KnownNames.nearestModule(top);
        if (meant.isPresent()) {
            return Optional.of("there is no module " + top + "; if " + meant.get() + " is meant, "
                    + ScriptEdit.replace(top, meant.get())
                    + (KnownNames.isStandard(meant.get())
                            ? ""
                            : " and call again with " + new DependencyList(request.dependencies()).plus(meant.get())));
        }
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

    /** Python names the outermost package that is missing; several distributions share {@code google}. */
    private static Predicate<String> isBelow(String module) {
        return name -> name.startsWith(module + ".") && Distributions.find(name).isPresent();
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

    private Optional<String> memory(Optional<ByteSize> peak) {
        return stderr.stripTrailing().endsWith("MemoryError") || stderr.contains("\nMemoryError:")
                ? Optional.of(afterOutOfMemory(peak))
                : Optional.empty();
    }
}
