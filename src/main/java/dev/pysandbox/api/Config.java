package dev.pysandbox.api;

import static dev.pysandbox.settings.InvalidSettingException.expect;
import static dev.pysandbox.settings.InvalidSettingException.property;

import dev.pysandbox.settings.Property;
import dev.pysandbox.settings.SettingGroup;
import dev.pysandbox.support.ByteSize;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** All settings, in groups. The constructors check the values. */
public record Config(
        LimitSettings limits,
        InstallSettings install,
        SandboxSettings sandbox,
        SandboxSettings.Docker docker,
        NetworkSettings network,
        SharedSettings shared,
        CacheSettings cache)
        implements SettingGroup {
    private static final Pattern DATA_NAME = Pattern.compile("[^/\\x00-\\x1f]+");
    private static final List<Property> PROPERTIES = Property.of(defaults(Policy.OPEN));

    static Config defaults(Policy policy) {
        return new Config(
                LimitSettings.defaults(policy),
                InstallSettings.defaults(),
                SandboxSettings.defaults(),
                SandboxSettings.Docker.defaults(),
                NetworkSettings.defaults(),
                SharedSettings.defaults(),
                CacheSettings.defaults());
    }

    public Config {
        for (DataFolder mount : shared.mounts()) {
            expect(
                    !mount.letsScriptsReplace(cache.folder()),
                    "cacheDir",
                    "must be out of reach of scripts, got a folder that ",
                    property("mounts"),
                    " lets them write to");
        }
    }

    /** Returns each setting with its name, type and default. */
    public static List<Property> properties() {
        return PROPERTIES;
    }

    /** A folder or file of the host that is mounted under /data. */
    public record DataFolder(Path path, boolean writable) {
        public DataFolder {
            expect(path.isAbsolute(), "mounts", "must be an absolute path, got '", path, "'");
            expect(
                    path.getFileName() != null
                            && DATA_NAME.matcher(path.getFileName().toString()).matches(),
                    "mounts",
                    "must name a folder or file, got '",
                    path,
                    "'");
        }

        /** Returns the folder or file that a text such as {@code data}, {@code data:ro} or {@code data:rw} names. */
        public static DataFolder parse(String text) {
            String path = text.replaceFirst(":r[wo]$", "");
            expect(!path.isBlank(), "mounts", "must name a folder or file, got '", path, "'");
            Path absolute = Path.of(path).toAbsolutePath().normalize();
            expect(Files.exists(absolute), "mounts", "must name a folder or file that exists, got '", path, "'");
            return new DataFolder(absolute, text.endsWith(":rw"));
        }

        boolean letsScriptsReplace(Path other) {
            return writable && real(other).startsWith(real(path));
        }

        private static Path real(Path path) {
            try {
                return path.toRealPath();
            } catch (IOException e) {
                return path.toAbsolutePath().normalize(); // it does not exist yet
            }
        }

        public String target() {
            return "/data/" + path.getFileName();
        }

        public String description() {
            return target() + (writable ? " (writable)" : " (read-only)");
        }
    }

    /** Determines which scripts are accepted, with the limits for them. */
    public enum Policy {
        /** Accepts all scripts; the sandbox is the boundary. */
        OPEN(2048, 1 << 20, 300, Integer.MAX_VALUE, 102_400, 1 << 30, 1024),
        /** Accepts only calculations with a short list of modules: a lint on top of the sandbox. */
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

        /** Returns the default memory limit of a script. */
        public ByteSize memory() {
            return new ByteSize((long) memoryMegabytes << 20);
        }

        /** Returns the highest memory limit that can be set. */
        public ByteSize mostMemory() {
            return new ByteSize((long) mostMemoryMegabytes << 20);
        }

        /** Returns the default of the longest timeout. */
        public Duration maxTimeout() {
            return maxTimeout;
        }

        /** Returns the default number of bytes that are kept of each stream. */
        public long outputBytes() {
            return outputBytes;
        }

        /** Returns the highest number of bytes of a stream that can be set. */
        public long mostOutputBytes() {
            return mostOutputBytes;
        }

        int openFiles() {
            return openFiles;
        }

        void check(ByteSize memory, Duration maxTimeout, long outputBytes) {
            expectAtMost(mostMemory(), memory.compareTo(mostMemory()), "maxMemory", memory);
            expectAtMost(
                    longestTimeout.toSeconds(),
                    maxTimeout.compareTo(longestTimeout),
                    "maxTimeout",
                    maxTimeout.toSeconds());
            expectAtMost(mostOutputBytes, Long.compare(outputBytes, mostOutputBytes), "maxOutputBytes", outputBytes);
        }

        private void expectAtMost(Object most, int comparison, String name, Object value) {
            expect(
                    comparison <= 0,
                    name,
                    "must be at most " + most + " with ",
                    property("policy"),
                    " " + name().toLowerCase(Locale.ROOT) + ", got ",
                    value);
        }
    }
}
