package dev.pysandbox.support;

import java.io.File;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The machine and its user: environment variables, home, the server's cache folder, platform. */
public record Host(Map<String, String> environment, Path home, Path cacheDir, Platform platform) {
    /** The variables that programs of the host need to work; none that configures Python or uv. */
    private static final List<String> PASSED_ON = List.of(
            "TMPDIR",
            "TEMP",
            "TMP",
            "LANG",
            "LC_ALL",
            "XDG_DATA_HOME",
            "XDG_CONFIG_HOME", // any
            "SystemRoot",
            "SystemDrive",
            "windir",
            "ComSpec",
            "PATHEXT",
            "USERPROFILE",
            "APPDATA",
            "LOCALAPPDATA",
            "ProgramData",
            "ProgramFiles",
            "ProgramW6432");

    public Host {
        // Names of variables are case-insensitive on Windows.
        Map<String, String> copy = platform.windows() ? new TreeMap<>(String.CASE_INSENSITIVE_ORDER) : new TreeMap<>();
        copy.putAll(environment);
        environment = Collections.unmodifiableMap(copy);
        home = home.toAbsolutePath();
        cacheDir = cacheDir.toAbsolutePath();
    }

    /** Returns the machine of this process. */
    public static Host current(Path cacheDir) {
        String architecture = System.getProperty("os.arch", "");
        boolean musl = Platform.hasMusl(Path.of("/"), architecture);
        Platform platform = Platform.of(System.getProperty("os.name", ""), architecture, musl);
        return new Host(System.getenv(), Path.of(System.getProperty("user.home", "")), cacheDir, platform);
    }

    /** Returns the value of a variable, unless it is missing or blank. */
    public Optional<String> variable(String name) {
        return Optional.ofNullable(environment.get(name)).filter(value -> !value.isBlank());
    }

    /** Returns the folder in a variable, unless it is missing or not a path. */
    public Optional<Path> folder(String variable) {
        return variable(variable).flatMap(Host::path);
    }

    /** Returns the absolute folders of PATH; relative ones depend on the server's working folder. */
    public List<Path> searchPath() {
        List<Path> folders = new ArrayList<>();
        for (String entry : variable("PATH").orElse("").split(Pattern.quote(File.pathSeparator), -1)) {
            path(entry.strip()).filter(Path::isAbsolute).ifPresent(folders::add);
        }
        return folders;
    }

    /** Returns a minimal environment for programs of the host; its PATH has no shims of version managers. */
    public Map<String, String> toolEnvironment() {
        Map<String, String> passed = new TreeMap<>();
        PASSED_ON.forEach(name -> variable(name).ifPresent(value -> passed.put(name, value)));
        passed.put("HOME", home.toString());
        passed.put(
                "PATH",
                searchPath().stream()
                        .filter(Predicate.not(Host::holdsShims))
                        .map(Path::toString)
                        .collect(Collectors.joining(File.pathSeparator)));
        return passed;
    }

    private static boolean holdsShims(Path folder) {
        return folder.endsWith("shims");
    }

    private static Optional<Path> path(String text) {
        try {
            return text.isBlank() ? Optional.empty() : Optional.of(Path.of(text));
        } catch (InvalidPathException e) {
            return Optional.empty();
        }
    }
}
