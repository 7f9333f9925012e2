package dev.pysandbox.toolchain;

import dev.pysandbox.support.CacheFolder;
import dev.pysandbox.support.Host;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Lists files that may be the wanted Python, most likely first, without running them.
 *
 * @param root the folder that contains the system's folders; {@code /} except in tests
 */
record PythonCandidates(Host host, Path root) {
    private static final Comparator<Installation> NEWEST_FIRST = Comparator.comparing(Installation::unusual)
            .thenComparing(Installation::version, Comparator.reverseOrder())
            .thenComparing(Installation::folder);

    /** Returns the Pythons that this program downloaded. */
    List<Path> downloaded(PythonVersion wanted) {
        return installations(folder(), wanted);
    }

    /** Returns the folder of downloaded Pythons. */
    Path folder() {
        return CacheFolder.PYTHONS.in(host.cacheDir());
    }

    /** Returns the Pythons of version managers, package managers and the system. */
    List<Path> installed(PythonVersion wanted) {
        Set<Path> files = new LinkedHashSet<>();
        versionManagers().forEach(folder -> files.addAll(installations(folder, wanted)));
        for (String keg : List.of("opt/homebrew/opt/python@", "usr/local/opt/python@")) {
            executable(root.resolve(keg + wanted.series()), wanted).ifPresent(files::add);
        }
        executable(root.resolve("Library/Frameworks/Python.framework/Versions/" + wanted.series()), wanted)
                .ifPresent(files::add);
        for (Path folder : list(root.resolve("opt"), "python*")) {
            executable(folder, wanted).ifPresent(files::add);
            files.addAll(installations(folder, wanted));
        }
        Stream.of("usr/local", "usr")
                .flatMap(prefix -> executable(root.resolve(prefix), wanted).stream())
                .forEach(files::add);
        return List.copyOf(files);
    }

    /** Returns the series, such as {@code 3.12}, that seem to be installed. */
    Set<PythonVersion> series() {
        Set<PythonVersion> found = new TreeSet<>();
        Stream.concat(versionManagers().stream(), Stream.of(folder(), root.resolve("opt")))
                .flatMap(folder -> list(folder, "*[0-9].[0-9]*").stream())
                .flatMap(folder -> PythonVersion.in(folder.getFileName().toString()).stream())
                .forEach(version -> found.add(PythonVersion.parse(version.series())));
        Stream.of("usr/local/bin", "usr/bin", "opt/homebrew/bin")
                .flatMap(folder -> list(root.resolve(folder), "python3.*").stream())
                .map(file -> file.getFileName().toString())
                .filter(name -> name.matches("python3\\.\\d+"))
                .forEach(name -> found.add(PythonVersion.parse(name.substring("python".length()))));
        return found;
    }

    private List<Path> versionManagers() {
        Path data = host.folder("XDG_DATA_HOME").orElse(host.home().resolve(".local/share"));
        List<Path> folders = new ArrayList<>();
        host.folder("PYENV_ROOT").ifPresent(folder -> folders.add(folder.resolve("versions")));
        folders.add(host.home().resolve(".pyenv/versions"));
        folders.add(host.home().resolve(".pyenv/pyenv-win/versions"));
        folders.add(host.folder("ASDF_DATA_DIR")
                .orElse(host.home().resolve(".asdf"))
                .resolve("installs/python"));
        folders.add(host.folder("MISE_DATA_DIR").orElse(data.resolve("mise")).resolve("installs/python"));
        host.folder("UV_PYTHON_INSTALL_DIR").ifPresent(folders::add);
        folders.add(data.resolve("uv/python"));
        return folders;
    }

    /** Returns the executables of the installations in a folder, newest first. */
    private List<Path> installations(Path folder, PythonVersion wanted) {
        return list(folder, "*").stream()
                .flatMap(each -> Installation.of(each).stream())
                .filter(installation -> installation.version().mayBe(wanted))
                .sorted(NEWEST_FIRST)
                .flatMap(installation -> executable(installation.folder(), wanted).stream())
                .toList();
    }

    private Optional<Path> executable(Path installation, PythonVersion wanted) {
        Path file = host.platform().windows()
                ? installation.resolve("python.exe")
                : installation.resolve("bin").resolve("python" + wanted.series());
        try {
            return Files.isExecutable(file) ? Optional.of(file.toRealPath()) : Optional.empty();
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private static List<Path> list(Path folder, String glob) {
        List<Path> entries = new ArrayList<>();
        try (DirectoryStream<Path> stream = Files.newDirectoryStream(folder, glob)) {
            stream.forEach(entries::add);
        } catch (IOException e) {
            // The folder does not exist.
        }
        return entries.stream().sorted().toList();
    }

    /** A folder whose name contains a version of CPython. */
    private record Installation(Path folder, PythonVersion version, boolean unusual) {
        static Optional<Installation> of(Path folder) {
            String name = folder.getFileName().toString();
            if (!name.matches("(cpython-)?\\d.*")) {
                return Optional.empty();
            }
            boolean unusual = name.contains("freethreaded") || name.contains("debug") || name.endsWith("t");
            return PythonVersion.in(name).map(version -> new Installation(folder, version, unusual));
        }
    }
}
