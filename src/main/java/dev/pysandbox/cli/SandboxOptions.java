package dev.pysandbox.cli;

import dev.pysandbox.api.Backend;
import dev.pysandbox.api.Config.DataFolder;
import dev.pysandbox.api.Config.Policy;
import dev.pysandbox.api.Network;
import dev.pysandbox.api.PythonSandbox;
import dev.pysandbox.api.PythonSandboxBuilder;
import dev.pysandbox.support.ByteSize;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/** The options that every command shares; what is not given is left to {@link PythonSandboxBuilder}. */
final class SandboxOptions {
    @Option(
            names = "--python-version",
            paramLabel = "X.Y",
            scope = ScopeType.INHERIT,
            description = "Python that runs the scripts (default: 3.13).")
    private @Nullable String pythonVersion;

    @Option(
            names = "--sandbox-backend",
            paramLabel = "native|docker|none",
            completionCandidates = OptionCandidates.Backends.class,
            scope = ScopeType.INHERIT,
            description = "What isolates scripts (default: native on Linux, docker elsewhere).")
    private @Nullable Backend backend;

    @Option(
            names = "--require-sandbox",
            scope = ScopeType.INHERIT,
            description = "Refuse to run rather than to run without a sandbox.")
    private boolean requireSandbox;

    @Option(
            names = "--network",
            paramLabel = "none|internet|host",
            completionCandidates = OptionCandidates.Networks.class,
            scope = ScopeType.INHERIT,
            description = "What scripts can reach (default: internet).")
    private @Nullable Network network;

    @Option(
            names = "--allow-host",
            paramLabel = "HOST",
            split = ",",
            scope = ScopeType.INHERIT,
            description = "Narrow the internet to this host, or *.domain; repeatable.")
    private List<String> allowHosts = new ArrayList<>();

    @Option(
            names = "--policy",
            paramLabel = "open|restricted",
            completionCandidates = OptionCandidates.Policies.class,
            scope = ScopeType.INHERIT,
            description =
                    "Which scripts are accepted (default: open). restricted: pure calculation with 27 modules and lower limits; a lint on top of the sandbox, which stays the boundary.")
    private @Nullable Policy policy;

    @Option(
            names = "--env",
            paramLabel = "NAME[=VALUE]",
            scope = ScopeType.INHERIT,
            description = "Let scripts see this variable, with the host's value if none is given; repeatable.")
    private List<String> environment = new ArrayList<>();

    @Option(
            names = "--default-timeout",
            paramLabel = "SECONDS",
            scope = ScopeType.INHERIT,
            description = "Time for a script that asks for none (default: 30).")
    private @Nullable Integer defaultTimeout;

    @Option(
            names = "--max-timeout",
            paramLabel = "SECONDS",
            scope = ScopeType.INHERIT,
            description = "Longest time a script may ask for (default: 300; restricted: 60).")
    private @Nullable Integer maxTimeout;

    @Option(
            names = "--max-output-bytes",
            paramLabel = "BYTES",
            scope = ScopeType.INHERIT,
            description = "How much of each stream is kept (default: 102400; restricted: 65536, at most 262144).")
    private @Nullable Long maxOutputBytes;

    @Option(
            names = "--max-memory",
            paramLabel = "SIZE",
            converter = SizeConverter.class,
            scope = ScopeType.INHERIT,
            description = "Memory for a script and all its processes (default: 2g; restricted: 256m, at most 1g).")
    private @Nullable ByteSize maxMemory;

    @Option(
            names = "--max-processes",
            paramLabel = "N",
            scope = ScopeType.INHERIT,
            description = "Processes and threads for a script (default: 128).")
    private @Nullable Integer maxProcesses;

    @Option(
            names = "--max-cpus",
            paramLabel = "N",
            scope = ScopeType.INHERIT,
            description = "Processors for a script (default: all).")
    private @Nullable Double maxCpus;

    @Option(
            names = "--tmp-size",
            paramLabel = "SIZE",
            converter = SizeConverter.class,
            scope = ScopeType.INHERIT,
            description = "Room in each folder a script can write to (default: 512m).")
    private @Nullable ByteSize tmpSize;

    @Option(
            names = "--max-concurrent",
            paramLabel = "N",
            scope = ScopeType.INHERIT,
            description = "Scripts that run at a time; others wait for their turn (default: 16).")
    private @Nullable Integer maxConcurrent;

    @Option(
            names = "--mount",
            paramLabel = "PATH[:rw]",
            scope = ScopeType.INHERIT,
            description =
                    "Show this folder or file to scripts as /data/NAME; with :rw they may write there; repeatable.")
    private List<String> mounts = new ArrayList<>();

    @Option(
            names = "--keep-files",
            paramLabel = "DIR",
            scope = ScopeType.INHERIT,
            description = "Keep the files that scripts make in this folder, a folder for each run.")
    private @Nullable Path keepFiles;

    @Option(
            names = "--cache-dir",
            paramLabel = "DIR",
            scope = ScopeType.INHERIT,
            description = "Where uv, Pythons and environments are kept (default: the platform's cache folder).")
    private @Nullable Path cacheDir;

    @Option(
            names = "--max-cache-size",
            paramLabel = "SIZE",
            converter = SizeConverter.class,
            scope = ScopeType.INHERIT,
            description = "Room for that folder; the least recently used go first (default: 5g).")
    private @Nullable ByteSize maxCacheSize;

    @Option(
            names = "--no-warm-cache",
            scope = ScopeType.INHERIT,
            description = "Don't download common packages in the background.")
    private boolean noWarmCache;

    @Option(
            names = "--warm-pool",
            paramLabel = "N",
            scope = ScopeType.INHERIT,
            description = "Sandboxes kept waiting for a script (default: 2).")
    private @Nullable Integer warmPool;

    @Option(
            names = "--uv-path",
            paramLabel = "PATH",
            scope = ScopeType.INHERIT,
            description = "The uv to use (default: the one on PATH, or one that is fetched).")
    private @Nullable String uvPath;

    @Option(
            names = "--package-age",
            paramLabel = "DAYS",
            scope = ScopeType.INHERIT,
            description = "Install only packages that are at least this old (default: any).")
    private @Nullable Integer packageAge;

    @Option(
            names = "--docker-image",
            paramLabel = "NAME",
            scope = ScopeType.INHERIT,
            description = "The image of the docker backend (default: one that is built from the Dockerfile within).")
    private @Nullable String dockerImage;

    @Option(
            names = "--docker-runtime",
            paramLabel = "NAME",
            scope = ScopeType.INHERIT,
            description = "The runtime of the docker backend, such as runsc (default: the engine's own).")
    private @Nullable String dockerRuntime;

    @Option(
            names = "--log-level",
            paramLabel = "error|warn|info|debug",
            completionCandidates = OptionCandidates.LogLevels.class,
            scope = ScopeType.INHERIT,
            description = "How much is logged on stderr (default: warn).")
    private LogLevel logLevel = LogLevel.WARN;

    /** How much is logged. */
    enum LogLevel {
        ERROR,
        WARN,
        INFO,
        DEBUG
    }

    static final class SizeConverter extends Commands.Converter<ByteSize> {
        @Override
        ByteSize parse(String text) {
            return ByteSize.parse(text);
        }
    }

    /** Whatever was given; the builder checks it. */
    PythonSandboxBuilder builder() {
        System.setProperty(
                "org.slf4j.simpleLogger.defaultLogLevel", logLevel.name().toLowerCase(Locale.ROOT));
        PythonSandboxBuilder builder = PythonSandbox.builder()
                .requireSandbox(requireSandbox)
                .allowHosts(allowHosts)
                .mounts(mounts.stream().map(SandboxOptions::dataFolder).toList())
                .environment(variables())
                .warmCache(!noWarmCache);
        given(pythonVersion, builder::pythonVersion);
        given(backend, builder::backend);
        given(network, builder::network);
        given(policy, builder::policy);
        given(defaultTimeout, seconds -> builder.defaultTimeout(Duration.ofSeconds(seconds)));
        given(maxTimeout, seconds -> builder.maxTimeout(Duration.ofSeconds(seconds)));
        given(maxOutputBytes, builder::maxOutputBytes);
        given(maxMemory, builder::maxMemory);
        given(maxProcesses, builder::maxProcesses);
        given(maxCpus, builder::maxCpus);
        given(tmpSize, builder::tmpSize);
        given(keepFiles, folder -> builder.keepFiles(writable(folder)));
        given(cacheDir, builder::cacheDir);
        given(maxCacheSize, builder::maxCacheSize);
        given(warmPool, builder::warmPool);
        given(maxConcurrent, builder::maxConcurrent);
        given(uvPath, builder::uvPath);
        given(dockerImage, builder::dockerImage);
        given(dockerRuntime, builder::dockerRuntime);
        given(packageAge, days -> builder.packageAge(Duration.ofDays(days)));
        return builder;
    }

    /** The limit that was set, if one was. */
    Optional<ByteSize> memory() {
        return Optional.ofNullable(maxMemory);
    }

    /** The limit that was set, if one was. */
    Optional<Long> outputBytes() {
        return Optional.ofNullable(maxOutputBytes);
    }

    private static <T> void given(@Nullable T value, Consumer<T> setting) {
        if (value != null) {
            setting.accept(value);
        }
    }

    private static DataFolder dataFolder(String text) {
        boolean writable = text.endsWith(":rw");
        String path = text.replaceFirst(":r[wo]$", "");
        Path absolute = Path.of(path).toAbsolutePath().normalize();
        if (!Files.exists(absolute)) {
            throw new IllegalArgumentException("--mount must name a folder or file that exists, got '" + path + "'");
        }
        return new DataFolder(absolute, writable);
    }

    private static Path writable(Path folder) {
        Path present = folder.toAbsolutePath().normalize();
        while (!Files.exists(present) && present.getParent() != null) {
            present = present.getParent();
        }
        if (!Files.isDirectory(present) || !Files.isWritable(present)) {
            throw new IllegalArgumentException(
                    "--keep-files must name a folder that can be written to, or made, got '" + folder + "'");
        }
        return folder;
    }

    private Map<String, String> variables() {
        Map<String, String> variables = new LinkedHashMap<>();
        for (String each : environment) {
            int equals = each.indexOf('=');
            if (each.isEmpty() || equals == 0) {
                throw new IllegalArgumentException("--env must look like NAME or NAME=VALUE, got '" + each + "'");
            }
            if (equals >= 0) {
                variables.put(each.substring(0, equals), each.substring(equals + 1));
            } else {
                Optional.ofNullable(System.getenv(each)).ifPresent(value -> variables.put(each, value));
            }
        }
        return variables;
    }
}
