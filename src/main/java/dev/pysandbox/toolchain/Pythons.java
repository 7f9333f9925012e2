package dev.pysandbox.toolchain;

import dev.pysandbox.index.IndexSettings;
import dev.pysandbox.support.CacheFolder;
import dev.pysandbox.support.DiskCacheEntry;
import dev.pysandbox.support.Host;
import dev.pysandbox.support.HostCommand;
import dev.pysandbox.support.SharedLocks;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** Finds the Python of a version on this host, or downloads it with uv into the cache folder. */
public final class Pythons {
    private static final Duration SEARCH_TIME = Duration.ofSeconds(30);
    private static final Duration DOWNLOAD_TIME = Duration.ofMinutes(10);
    private static final Duration CACHE_TIME = Duration.ofDays(365);
    /** A second-best Python is cached only for a short time, because a better one may be installed later. */
    private static final Duration SECOND_BEST_CACHE_TIME = Duration.ofDays(1);
    /** Variables that set uv's source of Pythons, such as a mirror. */
    private static final List<String> DOWNLOAD_SOURCES =
            List.of("UV_PYTHON_INSTALL_MIRROR", "UV_PYTHON_DOWNLOADS_JSON_URL");
    /** Older versions are not proposed in error messages. */
    private static final PythonVersion OLDEST_OFFERED = PythonVersion.parse("3.10");

    private final Host host;
    private final UvSource uv;
    private final IndexSettings settings;
    private final Consumer<String> progress;
    private final PythonCandidates candidates;
    private final PythonProbe probe;

    public Pythons(Host host, UvSource uv, IndexSettings settings, Consumer<String> progress) {
        this(host, uv, settings, progress, new PythonCandidates(host, Path.of("/")));
    }

    Pythons(Host host, UvSource uv, IndexSettings settings, Consumer<String> progress, PythonCandidates candidates) {
        this.host = host;
        this.uv = uv;
        this.settings = settings;
        this.progress = progress;
        this.candidates = candidates;
        this.probe = new PythonProbe(host);
    }

    /**
     * Returns the interpreter of a version such as {@code 3.13} or {@code 3.13.2}. Starts no process if it is cached
     * and unchanged.
     *
     * @throws IllegalArgumentException if {@code wanted} is not a version
     */
    public Python find(String wanted) throws MissingToolException, InterruptedException {
        PythonVersion version = PythonVersion.parse(wanted);
        DiskCacheEntry entry = DiskCacheEntry.named("python-" + version, host);
        Optional<Python> known = entry.recall().flatMap(Pythons::unchanged);
        if (known.isPresent()) {
            return known.get();
        }
        PythonProbe.Answer found = search(version);
        remember(found, entry);
        return found.python();
    }

    /**
     * Returns the first interpreter that is not second best, downloading it if necessary; else the first second-best
     * one.
     */
    private PythonProbe.Answer search(PythonVersion wanted) throws MissingToolException, InterruptedException {
        Optional<PythonProbe.Answer> best = best(Optional.empty(), candidates.downloaded(wanted), wanted);
        if (isInsufficient(best)) {
            best = best(best, foundByUv(wanted), wanted);
        }
        if (isInsufficient(best)) {
            best = best(best, candidates.installed(wanted), wanted);
        }
        if (isInsufficient(best)) {
            Optional<String> failure = download(wanted);
            best = best(best, candidates.downloaded(wanted), wanted);
            if (best.isEmpty()) {
                throw missing(wanted, failure.orElse("what uv installed does not run here"));
            }
        }
        return best.orElseThrow();
    }

    private Optional<PythonProbe.Answer> best(
            Optional<PythonProbe.Answer> soFar, List<Path> executables, PythonVersion wanted)
            throws InterruptedException {
        Optional<PythonProbe.Answer> best = soFar;
        for (Path executable : executables) {
            Optional<PythonProbe.Answer> answer = probe.probe(executable, wanted);
            if (answer.isPresent() && (best.isEmpty() || !isInsufficient(answer))) {
                best = answer;
            }
            if (!isInsufficient(best)) {
                return best;
            }
        }
        return best;
    }

    private static boolean isInsufficient(Optional<PythonProbe.Answer> answer) {
        return answer.map(PythonProbe.Answer::secondBest).orElse(true);
    }

    private List<Path> foundByUv(PythonVersion wanted) throws InterruptedException {
        try {
            Optional<Uv> present = uv.present();
            if (present.isEmpty()) {
                return List.of(); // uv is downloaded only if nothing else is found
            }
            HostCommand.Outcome outcome = command(
                            present.get(),
                            Map.of("UV_PYTHON_DOWNLOADS", "never"),
                            SEARCH_TIME,
                            List.of("python", "find", "--no-project", wanted.toString()))
                    .run();
            String path = outcome.stdout().strip();
            return outcome.succeeded() && !path.isEmpty() ? List.of(Path.of(path)) : List.of();
        } catch (IOException | InvalidPathException | MissingToolException e) {
            return List.of();
        }
    }

    /** Downloads the version, unless that failed a short time ago; returns the reason if there is none. */
    @SuppressWarnings("try") // the variable only holds the lock
    private Optional<String> download(PythonVersion wanted) throws InterruptedException {
        if (settings.offline()) {
            return Optional.of("UV_OFFLINE is set");
        }
        if (host.variable("UV_PYTHON_DOWNLOADS").filter("never"::equals).isPresent()) {
            return Optional.of("UV_PYTHON_DOWNLOADS is set to never");
        }
        Map<String, String> variables = new HashMap<>(settings.uvEnvironment());
        variables.putAll(settings.proxies().environment());
        DOWNLOAD_SOURCES.forEach(name -> host.variable(name).ifPresent(value -> variables.put(name, value)));
        FailedDownload failed = FailedDownload.of("python-" + wanted, attempt(variables), host);
        // One server downloads while others wait, then they see its result.
        try (SharedLocks.Held lock =
                SharedLocks.in(CacheFolder.LOCKS.in(host.cacheDir())).exclusive("download python " + wanted)) {
            Optional<String> known = failed.recall();
            if (known.isPresent()) {
                return known;
            }
            Optional<String> reason = downloadNow(wanted, variables);
            reason.ifPresent(failed::remember);
            return reason;
        } catch (IOException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    /** Returns everything that the result of a download depends on. */
    private Map<String, String> attempt(Map<String, String> variables) throws InterruptedException {
        Map<String, String> all = new HashMap<>(variables);
        settings.caBundle().ifPresent(bundle -> all.put("certificates", DiskCacheEntry.stamp(bundle)));
        try {
            uv.present().ifPresent(found -> all.put("uv", found.executable() + " " + found.version()));
        } catch (MissingToolException e) {
            all.put("uv", String.valueOf(e.getMessage()));
        }
        return all;
    }

    private Optional<String> downloadNow(PythonVersion wanted, Map<String, String> sources)
            throws InterruptedException {
        progress.accept("Downloading Python " + wanted);
        Map<String, String> variables = new HashMap<>(sources);
        variables.put("UV_PYTHON_INSTALL_DIR", candidates.folder().toString());
        // No links in ~/.local/bin, no registry entries: set by variables, which older releases of uv ignore.
        variables.put("UV_PYTHON_INSTALL_BIN", "0");
        variables.put("UV_PYTHON_INSTALL_REGISTRY", "0");
        try {
            Files.createDirectories(candidates.folder());
            HostCommand.Outcome outcome = command(
                            uv.get(progress), variables, DOWNLOAD_TIME, List.of("python", "install", wanted.toString()))
                    .run(progress);
            if (outcome.timedOut()) {
                return Optional.of("it took more than " + DOWNLOAD_TIME.toMinutes() + " minutes");
            }
            return outcome.succeeded() ? Optional.empty() : Optional.of(UvReason.of(outcome.stderr()));
        } catch (IOException | MissingToolException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    private HostCommand command(Uv program, Map<String, String> variables, Duration timeout, List<String> arguments) {
        Map<String, String> environment = new HashMap<>(host.toolEnvironment());
        environment.putAll(variables);
        environment.put("UV_NO_CACHE", "1");
        environment.put("UV_NO_CONFIG", "1");
        environment.put("UV_NO_PROGRESS", "1");
        List<String> command = new ArrayList<>(List.of(program.executable().toString()));
        command.addAll(arguments);
        return new HostCommand(
                command, environment, program.executable().toAbsolutePath().resolveSibling(""), timeout);
    }

    private MissingToolException missing(PythonVersion wanted, String reason) throws InterruptedException {
        List<String> present = new ArrayList<>();
        for (PythonVersion series : candidates.series()) {
            if (series.compareTo(OLDEST_OFFERED) >= 0
                    && best(Optional.empty(), candidates.installed(series), series)
                            .isPresent()) {
                present.add(series.toString());
            }
        }
        String others = present.isEmpty()
                ? ""
                : ", or choose one that is here with --python-version: " + String.join(", ", present);
        return new MissingToolException("Python " + wanted + " was not found and could not be downloaded (" + reason
                + "); install Python " + wanted + others);
    }

    private static void remember(PythonProbe.Answer found, DiskCacheEntry entry) {
        Python python = found.python();
        entry.remember(
                Map.of(
                        "version", python.version(),
                        "executable", python.executable().toString(),
                        "stamp", DiskCacheEntry.stamp(python.executable()),
                        "home", python.home().toString(),
                        "shared", Boolean.toString(python.sharedLibrary())),
                found.secondBest() ? SECOND_BEST_CACHE_TIME : CACHE_TIME);
    }

    private static Optional<Python> unchanged(Map<String, String> values) {
        Python python = new Python(
                values.getOrDefault("version", ""),
                Path.of(values.getOrDefault("executable", "")),
                Path.of(values.getOrDefault("home", "")),
                Boolean.parseBoolean(values.get("shared")));
        boolean same = DiskCacheEntry.stamp(python.executable()).equals(values.get("stamp"))
                && Files.isDirectory(python.home());
        return same ? Optional.of(python) : Optional.empty();
    }
}
