package dev.pysandbox.api;

import dev.pysandbox.script.InvalidScriptException;
import dev.pysandbox.script.Requirement;
import dev.pysandbox.script.ScriptRequirements;
import dev.pysandbox.support.ByteSize;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.regex.Pattern;

/** How scripts are run: everything a person can set, checked. */
public record Config(
        String pythonVersion,
        Backend backend,
        Duration maxTimeout,
        Duration defaultTimeout,
        long maxOutputBytes,
        boolean warmCache,
        String uvPath,
        boolean requireSandbox,
        Network network,
        List<String> allowHosts,
        ByteSize maxMemory,
        int maxProcesses,
        OptionalDouble maxCpus,
        ByteSize tmpSize,
        List<DataFolder> mounts,
        Map<String, String> environment,
        Optional<Path> keepFiles,
        Path cacheDir,
        ByteSize maxCacheSize,
        int warmPool,
        int maxConcurrent,
        Policy policy,
        Optional<Duration> packageAge,
        Optional<String> dockerImage,
        Optional<String> dockerRuntime) {

    private static final Pattern PYTHON_VERSION = Pattern.compile("3\\.\\d{1,2}(\\.\\d{1,2})?");
    private static final Pattern VARIABLE_NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");
    private static final Pattern IMAGE = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._/:@-]*");
    private static final Pattern DATA_NAME = Pattern.compile("[^/\\x00-\\x1f]+");

    public Config {
        allowHosts = List.copyOf(allowHosts);
        mounts = List.copyOf(mounts);
        environment = new LinkedHashMap<>(environment);
        expect(
                PYTHON_VERSION.matcher(pythonVersion).matches(),
                "--python-version must look like 3.13, got '" + pythonVersion + "'");
        expect(maxTimeout.toSeconds() >= 1, "--max-timeout must be at least 1 second, got " + maxTimeout.toSeconds());
        expect(
                defaultTimeout.toSeconds() >= 1 && defaultTimeout.compareTo(maxTimeout) <= 0,
                "--default-timeout must be between 1 and --max-timeout (" + maxTimeout.toSeconds() + " seconds), got "
                        + defaultTimeout.toSeconds());
        expect(maxOutputBytes >= 1024, "--max-output-bytes must be at least 1024, got " + maxOutputBytes);
        expect(!uvPath.isBlank(), "--uv-path must name a program, got nothing");
        expect(maxMemory.bytes() >= 32 << 20, "--max-memory must be at least 32m, got " + maxMemory);
        expect(maxProcesses >= 1, "--max-processes must be at least 1, got " + maxProcesses);
        expect(
                maxCpus.isEmpty() || maxCpus.getAsDouble() > 0,
                "--max-cpus must be more than 0, got " + maxCpus.orElse(0));
        expect(tmpSize.bytes() >= 1 << 20, "--tmp-size must be at least 1m, got " + tmpSize);
        policy.check(maxMemory, maxTimeout, maxOutputBytes);
        expect(
                packageAge.filter(Duration::isNegative).isEmpty(),
                "--package-age must be 0 or more days, got "
                        + packageAge.map(Duration::toDays).orElse(0L));
        expect(maxConcurrent >= 1, "--max-concurrent must be at least 1, got " + maxConcurrent);
        expect(warmPool >= 0, "--warm-pool must be 0 or more, got " + warmPool);
        expect(
                allowHosts.isEmpty() || network == Network.INTERNET,
                "--allow-host only goes with --network internet, not with " + network.label());
        expect(
                mounts.stream().map(DataFolder::target).distinct().count() == mounts.size(),
                "--mount must name folders whose last parts differ, got two of "
                        + mounts.stream().map(DataFolder::target).toList());
        expect(
                dockerImage.isEmpty() || IMAGE.matcher(dockerImage.get()).matches(),
                "--docker-image must look like name:tag, got '" + dockerImage.orElse("") + "'");
        expect(
                dockerRuntime.isEmpty() || IMAGE.matcher(dockerRuntime.get()).matches(),
                "--docker-runtime must be a name such as runsc, got '" + dockerRuntime.orElse("") + "'");
        expect(
                mounts.stream()
                        .noneMatch(mount -> mount.writable()
                                && keepFiles
                                        .filter(kept -> kept.startsWith(mount.path())
                                                || mount.path().startsWith(kept))
                                        .isPresent()),
                "--keep-files must be out of reach of scripts, got a folder that --mount lets them write to");
        for (DataFolder folder : mounts) {
            // A script could put a link to any folder of the host in its place, which the next sandbox would show.
            expect(
                    mounts.stream()
                            .noneMatch(other -> !other.equals(folder) && other.letsScriptsReplace(folder.path())),
                    "--mount must not name a folder inside one that scripts can write to, got " + folder.path());
            expect(
                    !folder.letsScriptsReplace(cacheDir),
                    "--cache-dir must be out of reach of scripts, got a folder that --mount lets them write to");
        }
        for (String name : environment.keySet()) {
            expect(
                    VARIABLE_NAME.matcher(name).matches(),
                    "--env must look like NAME or NAME=VALUE, got '" + name + "'");
        }
    }

    /** Refuses what would get around the settings: the age of a file that a URL names is not known. */
    public void check(ScriptRequirements requirements) throws InvalidScriptException {
        for (Requirement requirement : requirements.requirements()) {
            if (requirement.url().isPresent()
                    && packageAge.filter(age -> !age.isZero()).isPresent()) {
                throw new InvalidScriptException("dependency '" + requirement.normalizedName()
                        + " @ …': --package-age asks for packages that were public for "
                        + packageAge.get().toDays() + " days, and how old the file of a URL is can't be known. To fix:"
                        + " name the package without a URL, as in \"" + requirement.normalizedName() + "\"");
            }
        }
    }

    /** What one script may use. */
    public Limits limits() {
        return new Limits(maxMemory, maxProcesses, maxCpus, policy.openFiles(), tmpSize);
    }

    /** A folder of the host that scripts find under /data. */
    public record DataFolder(Path path, boolean writable) {
        public DataFolder {
            expect(path.isAbsolute(), "--mount must be an absolute path, got '" + path + "'");
            expect(
                    path.getFileName() != null
                            && DATA_NAME.matcher(path.getFileName().toString()).matches(),
                    "--mount must name a folder or file, got '" + path + "'");
        }

        private boolean letsScriptsReplace(Path other) {
            return writable && real(other).startsWith(real(path));
        }

        private static Path real(Path path) {
            try {
                return path.toRealPath();
            } catch (IOException e) {
                return path.toAbsolutePath().normalize(); // not there yet
            }
        }

        public String target() {
            return "/data/" + path.getFileName();
        }

        public String description() {
            return target() + (writable ? " (writable)" : " (read-only)");
        }
    }

    /** Which scripts are accepted, and the limits that go with it. */
    public enum Policy {
        /** All; the sandbox is the boundary. */
        OPEN(2048, 1 << 20, 300, Integer.MAX_VALUE, 102_400, 1 << 30, 1024),
        /** Pure calculation with a short list of modules: a lint on top of the sandbox. */
        RESTRICTED(256, 1024, 60, 60, 64 << 10, 256 << 10, 64);

        private final int memoryMegabytes;
        private final int mostMemoryMegabytes;
        private final Duration maxTimeout;
        private final Duration longestTimeout;
        private final long outputBytes;
        private final long mostOutputBytes;
        private final int openFiles;

        Policy(
                int memoryMegabytes,
                int mostMemoryMegabytes,
                int maxTimeout,
                int longestTimeout,
                long outputBytes,
                long mostOutputBytes,
                int openFiles) {
            this.memoryMegabytes = memoryMegabytes;
            this.mostMemoryMegabytes = mostMemoryMegabytes;
            this.maxTimeout = Duration.ofSeconds(maxTimeout);
            this.longestTimeout = Duration.ofSeconds(longestTimeout);
            this.outputBytes = outputBytes;
            this.mostOutputBytes = mostOutputBytes;
            this.openFiles = openFiles;
        }

        /** The memory that a script has unless something else is set. */
        public ByteSize memory() {
            return new ByteSize((long) memoryMegabytes << 20);
        }

        /** The most that can be set. */
        public ByteSize mostMemory() {
            return new ByteSize((long) mostMemoryMegabytes << 20);
        }

        /** The longest time a script may ask for, unless something else is set. */
        public Duration maxTimeout() {
            return maxTimeout;
        }

        /** How much of each stream is kept, unless something else is set. */
        public long outputBytes() {
            return outputBytes;
        }

        /** The most that can be set. */
        public long mostOutputBytes() {
            return mostOutputBytes;
        }

        int openFiles() {
            return openFiles;
        }

        /** The restricted one has no packages beside the standard library. */
        public void check(ScriptRequirements requirements) throws InvalidScriptException {
            if (this == RESTRICTED && !requirements.dependencies().isEmpty()) {
                throw new InvalidScriptException("dependencies: the restricted policy allows none, got "
                        + String.join(", ", requirements.dependencies()));
            }
        }

        private void check(ByteSize memory, Duration maxTimeout, long outputBytes) {
            String label = name().toLowerCase(Locale.ROOT);
            expect(
                    memory.compareTo(mostMemory()) <= 0,
                    "--max-memory must be at most " + mostMemory() + " with --policy " + label + ", got " + memory);
            expect(
                    maxTimeout.compareTo(longestTimeout) <= 0,
                    "--max-timeout must be at most " + longestTimeout.toSeconds() + " with --policy " + label + ", got "
                            + maxTimeout.toSeconds());
            expect(
                    outputBytes <= mostOutputBytes,
                    "--max-output-bytes must be at most " + mostOutputBytes + " with --policy " + label + ", got "
                            + outputBytes);
        }
    }

    /** The platform's folder for caches, and our own in it. */
    public static Path defaultCacheDir(Map<String, String> environment) {
        String home = System.getProperty("user.home", "");
        String system = System.getProperty("os.name", "").toLowerCase(Locale.ROOT);
        if (system.startsWith("windows")) {
            return Path.of(environment.getOrDefault("LOCALAPPDATA", home + "\\AppData\\Local"), "python-sandbox");
        }
        if (system.startsWith("mac")) {
            return Path.of(home, "Library", "Caches", "python-sandbox");
        }
        String cache = environment.getOrDefault("XDG_CACHE_HOME", "");
        return cache.startsWith("/") ? Path.of(cache, "python-sandbox") : Path.of(home, ".cache", "python-sandbox");
    }

    private static void expect(boolean condition, String otherwise) {
        if (!condition) {
            throw new IllegalArgumentException(otherwise);
        }
    }
}
