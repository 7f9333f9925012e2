package dev.pysandbox.environment;

import dev.pysandbox.sandbox.Sandbox;
import dev.pysandbox.supervisor.SupervisorProgram;
import dev.pysandbox.toolchain.PythonLayout;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The parts of an environment that the server writes before packages are installed: those that {@code python -m venv
 * --without-pip} creates and scripts need. All paths are relative to the environment.
 *
 * @param folders the environment itself, then each folder after its parent
 * @param packages the folder for packages, one of the folders
 */
record Skeleton(List<Path> folders, Path packages, Map<Path, String> files, Map<Path, Path> links) {
    private static final Path CONFIGURATION = Path.of("pyvenv.cfg");

    Skeleton {
        folders = List.copyOf(folders);
    }

    static Skeleton of(PythonLayout python, Sandbox sandbox) {
        Path executable = python.executable(sandbox);
        Path programs = Path.of("bin");
        Path library = libraryOf(python);
        Path packages = library.resolve("site-packages");
        Map<Path, String> files = new LinkedHashMap<>();
        // relocatable: programs of packages find their Python after the environment is moved.
        files.put(
                CONFIGURATION,
                "home = " + executable.getParent()
                        + "\ninclude-system-site-packages = false\nrelocatable = true\nversion = "
                        + python.python().version() + "\n");
        files.put(packages.resolve(SupervisorProgram.PTH_NAME), SupervisorProgram.PTH_LINE);
        Map<Path, Path> links = new LinkedHashMap<>();
        links.put(programs.resolve("python"), executable);
        links.put(programs.resolve("python3"), Path.of("python"));
        links.put(programs.resolve(python.libraryName()), Path.of("python"));
        List<Path> folders = List.of(Path.of(""), programs, library.resolveSibling(""), library, packages);
        return new Skeleton(folders, packages, files, links);
    }

    /** Returns the folder of the libraries, such as {@code lib/python3.13}. */
    static Path libraryOf(PythonLayout python) {
        return Path.of("lib", python.libraryName());
    }

    /** Returns the .pth file with which the interpreter loads the supervisor. */
    static Path startOf(PythonLayout python) {
        return libraryOf(python).resolve("site-packages").resolve(SupervisorProgram.PTH_NAME);
    }

    /** Returns whether a path has an environment; checks only one file. */
    static boolean isAt(Path place) {
        return Files.isRegularFile(place.resolve(CONFIGURATION), LinkOption.NOFOLLOW_LINKS);
    }

    /** Creates the files at a path that does not exist. The sandbox can write to the folders but not to the files. */
    void write(Path place, Sandbox sandbox) throws IOException {
        for (Path folder : folders) {
            Files.createDirectory(place.resolve(folder));
        }
        for (Map.Entry<Path, Path> link : links.entrySet()) {
            Files.createSymbolicLink(place.resolve(link.getKey()), link.getValue());
        }
        for (Map.Entry<Path, String> file : files.entrySet()) {
            Files.writeString(place.resolve(file.getKey()), file.getValue(), StandardCharsets.UTF_8);
        }
        for (Path folder : folders) {
            sandbox.allowWriting(place.resolve(folder));
        }
    }
}
