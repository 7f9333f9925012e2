package dev.pysandbox;

import dev.pysandbox.process.ByteSize;
import dev.pysandbox.run.Config;
import dev.pysandbox.sandbox.Backend;
import dev.pysandbox.sandbox.Network;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that every command shares. */
final class SandboxOptions {
    @Option(
            names = "--python-version",
            paramLabel = "X.Y",
            defaultValue = "3.13",
            description = "Python that runs the scripts (default: ${DEFAULT-VALUE}).")
    private String pythonVersion = "3.13";

    @Option(
            names = "--sandbox-backend",
            paramLabel = "native|docker|none",
            description = "The wall around scripts (default: native on Linux, docker elsewhere).")
    private @Nullable Backend backend;

    @Option(
            names = "--max-timeout",
            paramLabel = "SECONDS",
            defaultValue = "300",
            description = "Longest time a script may ask for (default: ${DEFAULT-VALUE}).")
    private int maxTimeout;

    @Option(
            names = "--default-timeout",
            paramLabel = "SECONDS",
            defaultValue = "30",
            description = "Time for a script that asks for none (default: ${DEFAULT-VALUE}).")
    private int defaultTimeout;

    @Option(
            names = "--max-output-bytes",
            paramLabel = "BYTES",
            defaultValue = "102400",
            description = "How much of each stream is kept (default: ${DEFAULT-VALUE}).")
    private long maxOutputBytes;

    @Option(names = "--no-warm-cache", description = "Don't download common packages in the background.")
    private boolean noWarmCache;

    @Option(
            names = "--uv-path",
            paramLabel = "PATH",
            defaultValue = "uv",
            description = "The uv to use (default: the one on PATH, or one that is fetched).")
    private String uvPath = "uv";

    @Option(names = "--require-sandbox", description = "Refuse to run rather than to run without a sandbox.")
    private boolean requireSandbox;

    @Option(
            names = "--network",
            paramLabel = "none|internet|host",
            defaultValue = "internet",
            description = "What scripts can reach (default: ${DEFAULT-VALUE}).")
    private Network network = Network.INTERNET;

    @Option(
            names = "--allow-host",
            paramLabel = "HOST",
            split = ",",
            description = "Narrow the internet to this host, or *.domain; repeatable.")
    private List<String> allowHosts = new ArrayList<>();

    @Option(
            names = "--max-memory",
            paramLabel = "SIZE",
            defaultValue = "2g",
            converter = SizeConverter.class,
            description = "Memory for a script and all its processes (default: ${DEFAULT-VALUE}).")
    private ByteSize maxMemory = ByteSize.parse("2g");

    @Option(
            names = "--max-processes",
            paramLabel = "N",
            defaultValue = "128",
            description = "Processes and threads for a script (default: ${DEFAULT-VALUE}).")
    private int maxProcesses;

    @Option(names = "--max-cpus", paramLabel = "N", description = "Processors for a script (default: all).")
    private @Nullable Double maxCpus;

    @Option(
            names = "--tmp-size",
            paramLabel = "SIZE",
            defaultValue = "512m",
            converter = SizeConverter.class,
            description = "Room in each folder a script can write to (default: ${DEFAULT-VALUE}).")
    private ByteSize tmpSize = ByteSize.parse("512m");

    @Option(
            names = "--mount",
            paramLabel = "PATH[:rw]",
            description = "Show this folder or file to scripts as /data/NAME, read-only unless :rw; repeatable.")
    private List<String> mounts = new ArrayList<>();

    @Option(
            names = "--env",
            paramLabel = "NAME[=VALUE]",
            description = "Let scripts see this variable, with the host's value if none is given; repeatable.")
    private List<String> environment = new ArrayList<>();

    @Option(
            names = "--keep-files",
            paramLabel = "DIR",
            description = "Keep the files that scripts make in this folder.")
    private @Nullable Path keepFiles;

    @Option(
            names = "--cache-dir",
            paramLabel = "DIR",
            description = "Where uv, Pythons and environments are kept (default: the platform's cache folder).")
    private @Nullable Path cacheDir;

    @Option(
            names = "--max-cache-size",
            paramLabel = "SIZE",
            defaultValue = "5g",
            converter = SizeConverter.class,
            description = "Room for that folder; the least recently used go first (default: ${DEFAULT-VALUE}).")
    private ByteSize maxCacheSize = ByteSize.parse("5g");

    @Option(
            names = "--warm-pool",
            paramLabel = "N",
            defaultValue = "2",
            description = "Sandboxes kept waiting for a script (default: ${DEFAULT-VALUE}).")
    private int warmPool;

    @Option(
            names = "--policy",
            paramLabel = "open|restricted",
            defaultValue = "open",
            description = "Which scripts are accepted (default: ${DEFAULT-VALUE}).")
    private Config.Policy policy = Config.Policy.OPEN;

    @Option(
            names = "--docker-image",
            paramLabel = "NAME",
            description = "The image of the docker backend (default: one that is built from the Dockerfile within).")
    private @Nullable String dockerImage;

    @Option(
            names = "--docker-runtime",
            paramLabel = "NAME",
            description = "The runtime of the docker backend, such as runsc (default: the engine's own).")
    private @Nullable String dockerRuntime;

    @Option(
            names = "--log-level",
            paramLabel = "error|warn|info|debug",
            defaultValue = "warn",
            description = "How much is logged on stderr (default: ${DEFAULT-VALUE}).")
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

    /** Checks all that was given; a mistake is an IllegalArgumentException that says what was expected. */
    Config config() {
        System.setProperty(
                "org.slf4j.simpleLogger.defaultLogLevel", logLevel.name().toLowerCase(Locale.ROOT));
        boolean linux = System.getProperty("os.name").equals("Linux");
        return new Config(
                pythonVersion,
                Optional.ofNullable(backend).orElse(linux ? Backend.NATIVE : Backend.DOCKER),
                Duration.ofSeconds(maxTimeout),
                Duration.ofSeconds(defaultTimeout),
                maxOutputBytes,
                !noWarmCache,
                uvPath,
                requireSandbox,
                network,
                allowHosts,
                maxMemory,
                maxProcesses,
                maxCpus == null ? OptionalDouble.empty() : OptionalDouble.of(maxCpus),
                tmpSize,
                mounts.stream().map(SandboxOptions::dataFolder).toList(),
                variables(),
                Optional.ofNullable(keepFiles).map(Path::toAbsolutePath),
                Optional.ofNullable(cacheDir)
                        .map(Path::toAbsolutePath)
                        .orElseGet(() -> Config.defaultCacheDir(System.getenv())),
                maxCacheSize,
                warmPool,
                policy,
                Optional.ofNullable(dockerImage),
                Optional.ofNullable(dockerRuntime));
    }

    private static Config.DataFolder dataFolder(String text) {
        boolean writable = text.endsWith(":rw");
        String path = text.replaceFirst(":r[wo]$", "");
        Path absolute = Path.of(path).toAbsolutePath().normalize();
        if (!Files.exists(absolute)) {
            throw new IllegalArgumentException("--mount must name a folder or file that exists, got '" + path + "'");
        }
        return new Config.DataFolder(absolute, writable);
    }

    private Map<String, String> variables() {
        Map<String, String> variables = new LinkedHashMap<>();
        for (String each : environment) {
            int equals = each.indexOf('=');
            if (equals >= 0) {
                variables.put(each.substring(0, equals), each.substring(equals + 1));
            } else {
                Optional.ofNullable(System.getenv(each)).ifPresent(value -> variables.put(each, value));
            }
        }
        return variables;
    }
}
