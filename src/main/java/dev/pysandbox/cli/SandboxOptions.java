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

/** The options that all commands share; {@link PythonSandboxBuilder} has the defaults. */
final class SandboxOptions {
    @Option(
            names = "--python-version",
            paramLabel = "X.Y",
            scope = ScopeType.INHERIT,
            description = "Python version for scripts (default: 3.13).")
    private @Nullable String pythonVersion;

    @Option(
            names = "--sandbox-backend",
            paramLabel = "native|docker|none",
            completionCandidates = OptionCandidates.Backends.class,
            scope = ScopeType.INHERIT,
            description = "How scripts are isolated (default: native on Linux, docker elsewhere).")
    private @Nullable Backend backend;

    @Option(
            names = "--require-sandbox",
            scope = ScopeType.INHERIT,
            description = "Refuse to run scripts without a sandbox.")
    private boolean requireSandbox;

    @Option(
            names = "--network",
            paramLabel = "none|internet|host",
            completionCandidates = OptionCandidates.Networks.class,
            scope = ScopeType.INHERIT,
            description = "The network of scripts (default: internet).")
    private @Nullable Network network;

    @Option(
            names = "--allow-host",
            paramLabel = "HOST",
            split = ",",
            scope = ScopeType.INHERIT,
            description = "Allow only this host, or *.domain; repeatable.")
    private List<String> allowHosts = new ArrayList<>();

    @Option(
            names = "--policy",
            paramLabel = "open|restricted",
            completionCandidates = OptionCandidates.Policies.class,
            scope = ScopeType.INHERIT,
            description =
                    "Which scripts are accepted (default: open). restricted: calculation with 27 modules and lower"
                            + " limits; a lint, not the security boundary.")
    private @Nullable Policy policy;

    @Option(
            names = "--env",
            paramLabel = "NAME[=VALUE]",
            scope = ScopeType.INHERIT,
            description = "Set this variable for scripts, by default to its value on the host; repeatable.")
    private List<String> environment = new ArrayList<>();

    @Option(
            names = "--default-timeout",
            paramLabel = "SECONDS",
            scope = ScopeType.INHERIT,
            description = "Timeout of a call that sets none (default: 30).")
    private @Nullable Integer defaultTimeout;

    @Option(
            names = "--max-timeout",
            paramLabel = "SECONDS",
            scope = ScopeType.INHERIT,
            description = "Longest timeout a call may set (default: 300; restricted: 60).")
    private @Nullable Integer maxTimeout;

    @Option(
            names = "--max-output-bytes",
            paramLabel = "BYTES",
            scope = ScopeType.INHERIT,
            description = "Bytes to return of each stream (default: 102400; restricted: 65536, at most 262144).")
    private @Nullable Long maxOutputBytes;

    @Option(
            names = "--max-memory",
            paramLabel = "SIZE",
            converter = SizeConverter.class,
            scope = ScopeType.INHERIT,
            description = "Memory limit of a script and its processes (default: 2g; restricted: 256m, at most 1g).")
    private @Nullable ByteSize maxMemory;

    @Option(
            names = "--max-processes",
            paramLabel = "N",
            scope = ScopeType.INHERIT,
            description = "Most processes and threads of a script (default: 128).")
    private @Nullable Integer maxProcesses;

    @Option(
            names = "--max-cpus",
            paramLabel = "N",
            scope = ScopeType.INHERIT,
            description = "Most processors of a script (default: all).")
    private @Nullable Double maxCpus;

    @Option(
            names = "--tmp-size",
            paramLabel = "SIZE",
            converter = SizeConverter.class,
            scope = ScopeType.INHERIT,
            description = "Size limit of each folder that a script can write to (default: 512m).")
    private @Nullable ByteSize tmpSize;

    @Option(
            names = "--max-concurrent",
            paramLabel = "N",
            scope = ScopeType.INHERIT,
            description = "Most scripts that run at the same time; other calls wait (default: 16).")
    private @Nullable Integer maxConcurrent;

    @Option(
            names = "--mount",
            paramLabel = "PATH[:rw]",
            scope = ScopeType.INHERIT,
            description = "Mount this folder or file as /data/NAME; :rw makes it writable; repeatable.")
    private List<String> mounts = new ArrayList<>();

    @Option(
            names = "--keep-files",
            paramLabel = "DIR",
            scope = ScopeType.INHERIT,
            description = "Keep the files that scripts write, in one subfolder of DIR for each run.")
    private @Nullable Path keepFiles;

    @Option(
            names = "--cache-dir",
            paramLabel = "DIR",
            scope = ScopeType.INHERIT,
            description = "Cache for uv, Pythons and environments (default: the platform's cache folder).")
    private @Nullable Path cacheDir;

    @Option(
            names = "--max-cache-size",
            paramLabel = "SIZE",
            converter = SizeConverter.class,
            scope = ScopeType.INHERIT,
            description = "Size limit of the cache; the least recently used entries are deleted first (default: 5g).")
    private @Nullable ByteSize maxCacheSize;

    @Option(
            names = "--no-warm-cache",
            scope = ScopeType.INHERIT,
            description = "Do not download common packages in the background.")
    private boolean noWarmCache;

    @Option(
            names = "--warm-pool",
            paramLabel = "N",
            scope = ScopeType.INHERIT,
            description = "Sandboxes to start in advance for each environment (default: 2).")
    private @Nullable Integer warmPool;

    @Option(
            names = "--uv-path",
            paramLabel = "PATH",
            scope = ScopeType.INHERIT,
            description = "The uv to use (default: uv on PATH, else it is downloaded).")
    private @Nullable String uvPath;

    @Option(
            names = "--package-age",
            paramLabel = "DAYS",
            scope = ScopeType.INHERIT,
            description = "Install only packages published at least this many days ago (default: any).")
    private @Nullable Integer packageAge;

    @Option(
            names = "--docker-image",
            paramLabel = "NAME",
            scope = ScopeType.INHERIT,
            description = "Image of the docker backend (default: built from the Dockerfile in the JAR).")
    private @Nullable String dockerImage;

    @Option(
            names = "--docker-runtime",
            paramLabel = "NAME",
            scope = ScopeType.INHERIT,
            description = "Runtime of the docker backend, such as runsc (default: the engine's default).")
    private @Nullable String dockerRuntime;

    @Option(
            names = "--log-level",
            paramLabel = "error|warn|info|debug",
            completionCandidates = OptionCandidates.LogLevels.class,
            scope = ScopeType.INHERIT,
            description = "Level of log messages on stderr (default: warn).")
    private LogLevel logLevel = LogLevel.WARN;

    /** The log levels. */
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

    /** Returns a builder with the options that are set. The builder checks them. */
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

    /** Returns --max-memory, if set. */
    Optional<ByteSize> memory() {
        return Optional.ofNullable(maxMemory);
    }

    /** Returns --max-output-bytes, if set. */
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
                    "--keep-files must name a writable folder, or one that can be created, got '" + folder + "'");
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
