package dev.pysandbox.toolchain;

import dev.pysandbox.index.IndexSettings;
import dev.pysandbox.support.CacheFolder;
import dev.pysandbox.support.DiskCacheEntry;
import dev.pysandbox.support.Host;
import dev.pysandbox.support.HostCommand;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A working uv: its path, its version, and whether this program downloaded it. */
public record Uv(Path executable, String version, boolean fetched) {
    /** The value of {@code --uv-path} if it is not set. */
    public static final String ANY = "uv";

    private static final Pattern ANSWER = Pattern.compile("uv (\\d+)\\.(\\d+)\\.(\\d+)\\S*.*", Pattern.DOTALL);
    /** The oldest release with venv --relocatable and pip install --no-build --no-sources --default-index. */
    private static final int OLDEST_MINOR = 5;

    private static final Duration TIMEOUT = Duration.ofSeconds(20);
    private static final Duration CACHE_TIME = Duration.ofDays(365);
    private static final String ADVICE = "install uv 0." + OLDEST_MINOR + " or newer, or name it with --uv-path";

    /** Returns the uv of this host, or downloads the pinned release from the index to the cache folder. */
    public static Uv findOrFetch(String uvPath, Host host, IndexSettings settings, Consumer<String> progress)
            throws MissingToolException, InterruptedException {
        Optional<Uv> found = find(uvPath, host);
        if (found.isPresent()) {
            return found.get();
        }
        UvRelease release = UvRelease.pinned(host.platform())
                .orElseThrow(() -> new MissingToolException(
                        "no uv was found, and there is none to fetch for " + host.platform() + ": " + ADVICE));
        return new UvFetcher(release, host, settings, progress).fetch();
    }

    /**
     * Returns the first uv that works: the named one; else on PATH, in the folders of its installers, or downloaded
     * before.
     *
     * @throws MissingToolException if {@code uvPath} names one explicitly and that one does not work
     */
    public static Optional<Uv> find(String uvPath, Host host) throws MissingToolException, InterruptedException {
        if (!uvPath.equals(ANY)) {
            return Optional.of(named(uvPath, host));
        }
        for (Path candidate : candidates(host)) {
            if (isProgram(candidate)) {
                try {
                    return Optional.of(withVersion(candidate, false, host));
                } catch (MissingToolException e) {
                    // It does not work: tries the next.
                }
            }
        }
        return fetchedBefore(UvRelease.pinnedVersion(), host);
    }

    /** Returns the downloaded uv, if it exists and works. */
    static Optional<Uv> fetchedBefore(String version, Host host) throws InterruptedException {
        Path copy = privateCopy(version, host);
        try {
            return Files.isExecutable(copy) ? Optional.of(withVersion(copy, true, host)) : Optional.empty();
        } catch (MissingToolException e) {
            return Optional.empty();
        }
    }

    static Path privateCopy(String version, Host host) {
        return CacheFolder.UV
                .in(host.cacheDir())
                .resolve(version)
                .resolve(host.platform().program("uv"));
    }

    static List<Path> candidates(Host host) {
        List<Path> folders = new ArrayList<>(host.searchPath());
        host.folder("UV_INSTALL_DIR").ifPresent(folders::add);
        host.folder("XDG_BIN_HOME").ifPresent(folders::add);
        folders.add(host.home().resolve(".local/bin"));
        folders.add(host.home().resolve(".cargo/bin"));
        if (host.platform().windows()) {
            host.folder("LOCALAPPDATA").ifPresent(folder -> folders.add(folder.resolve("Microsoft/WinGet/Links")));
            host.folder("ProgramData").ifPresent(folder -> folders.add(folder.resolve("chocolatey/bin")));
            folders.add(host.home().resolve("scoop/shims"));
            folders.add(host.home().resolve("pipx/venvs/uv/Scripts"));
        } else {
            folders.add(host.home().resolve(".local/share/pipx/venvs/uv/bin"));
            folders.add(host.home().resolve(".nix-profile/bin"));
            List.of("/usr/local/bin", "/opt/homebrew/bin", "/home/linuxbrew/.linuxbrew/bin", "/usr/bin", "/snap/bin")
                    .forEach(folder -> folders.add(Path.of(folder)));
        }
        return folders.stream()
                .map(folder -> folder.resolve(host.platform().program("uv")))
                .distinct()
                .toList();
    }

    /** Whether a file is executable and not a script: scripts of version managers may fail or print help. */
    static boolean isProgram(Path file) {
        if (!Files.isRegularFile(file) || !Files.isExecutable(file)) {
            return false;
        }
        try (InputStream content = Files.newInputStream(file)) {
            byte[] start = content.readNBytes(2);
            return start.length == 2 && !(start[0] == '#' && start[1] == '!');
        } catch (IOException e) {
            return false;
        }
    }

    private static Uv named(String uvPath, Host host) throws MissingToolException, InterruptedException {
        try {
            Path path = Path.of(uvPath);
            if (path.getNameCount() > 1 || path.isAbsolute()) {
                return withVersion(path.toAbsolutePath(), false, host);
            }
            for (Path folder : host.searchPath()) {
                Path file = folder.resolve(host.platform().program(uvPath.replaceFirst("\\.exe$", "")));
                if (Files.isExecutable(file)) {
                    return withVersion(file, false, host);
                }
            }
        } catch (InvalidPathException e) {
            // Reported below.
        }
        throw new MissingToolException("--uv-path names '" + uvPath + "', which is not on PATH: " + ADVICE);
    }

    /** Returns the version of a uv; a program that is cached and unchanged is not started again. */
    private static Uv withVersion(Path file, boolean fetched, Host host)
            throws MissingToolException, InterruptedException {
        if (!isProgram(file)) {
            return new Uv(file, readVersion(file, host), fetched);
        }
        DiskCacheEntry entry = DiskCacheEntry.about("uv", file.toString(), host);
        String stamp = DiskCacheEntry.stamp(file);
        Map<String, String> known = entry.recall().orElse(Map.of());
        if (stamp.equals(known.get("stamp")) && known.containsKey("version")) {
            return new Uv(file, known.get("version"), fetched);
        }
        String version = readVersion(file, host);
        entry.remember(Map.of("stamp", stamp, "version", version), CACHE_TIME);
        return new Uv(file, version, fetched);
    }

    private static String readVersion(Path file, Host host) throws MissingToolException, InterruptedException {
        HostCommand command = new HostCommand(
                List.of(file.toString(), "--version"), host.toolEnvironment(), file.resolveSibling(""), TIMEOUT);
        HostCommand.Outcome outcome;
        try {
            outcome = command.run();
        } catch (IOException e) {
            throw new MissingToolException("'" + file + "' can't be run: " + ADVICE, e);
        }
        Matcher answer = ANSWER.matcher(outcome.stdout());
        if (!outcome.succeeded() || !answer.matches()) {
            throw new MissingToolException("'" + file + "' does not answer as uv does: " + ADVICE);
        }
        String version = answer.group(1) + "." + answer.group(2) + "." + answer.group(3);
        if (version.startsWith("0.") && Integer.parseInt(answer.group(2)) < OLDEST_MINOR) {
            throw new MissingToolException("'" + file + "' is uv " + version + ", which is too old: " + ADVICE);
        }
        return version;
    }
}
