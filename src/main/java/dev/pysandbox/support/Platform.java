package dev.pysandbox.support;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/** Operating system, architecture and C library, for which a program must be built. */
public record Platform(Os os, String architecture, boolean musl) {
    /** The supported operating systems. */
    public enum Os {
        LINUX,
        MACOS,
        WINDOWS;

        /** Returns the system of this host. */
        public static Os current() {
            return of(System.getProperty("os.name", ""));
        }

        /** Returns the system of a name such as Java's {@code os.name}; what is not known counts as Linux. */
        static Os of(String name) {
            String lowerCase = name.toLowerCase(Locale.ROOT);
            return lowerCase.startsWith("windows") ? WINDOWS : lowerCase.startsWith("mac") ? MACOS : LINUX;
        }
    }

    /** Returns the platform for the values of {@code os.name} and {@code os.arch}. */
    public static Platform of(String osName, String osArch, boolean musl) {
        Os os = Os.of(osName);
        String architecture = switch (osArch.toLowerCase(Locale.ROOT)) {
            case "amd64", "x86_64", "x64" -> "x86_64";
            case "aarch64", "arm64" -> "aarch64";
            default -> osArch.toLowerCase(Locale.ROOT);
        };
        return new Platform(os, architecture, musl && os == Os.LINUX);
    }

    /** Whether the C library at {@code root} is musl: its loader exists and glibc's does not. */
    static boolean hasMusl(Path root, String osArch) {
        String architecture = of("Linux", osArch, true).architecture();
        return Files.exists(root.resolve("lib/ld-musl-" + architecture + ".so.1"))
                && !Files.exists(root.resolve("lib64/ld-linux-x86-64.so.2"))
                && !Files.exists(root.resolve("lib/ld-linux-aarch64.so.1"));
    }

    public boolean windows() {
        return os == Os.WINDOWS;
    }

    /** Returns the file name of a program, such as {@code uv.exe}. */
    public String program(String name) {
        return windows() ? name + ".exe" : name;
    }

    /** Returns a name such as {@code linux-x86_64} or {@code linux-musl-aarch64}. */
    @Override
    public String toString() {
        return os.name().toLowerCase(Locale.ROOT) + (musl ? "-musl-" : "-") + architecture;
    }
}
