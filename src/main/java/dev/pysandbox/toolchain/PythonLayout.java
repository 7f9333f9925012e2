package dev.pysandbox.toolchain;

import dev.pysandbox.sandbox.ImagePython;
import dev.pysandbox.sandbox.Sandbox;
import dev.pysandbox.sandbox.Volume;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The paths of a Python inside a sandbox.
 *
 * @param inner set if the Python is part of the sandbox's image, not of the host
 */
public record PythonLayout(Python python, Optional<ImagePython> inner) {
    /** The folders in which a sandbox has nothing else except {@link #USER}. */
    private static final List<String> FREE = List.of("/root", "/home", "/opt", "/usr/local");

    private static final String USER = "/home/user";

    public PythonLayout(Python python) {
        this(python, Optional.empty());
    }

    public static PythonLayout of(ImagePython inner) {
        return new PythonLayout(
                new Python(inner.version(), inner.executable(), inner.home(), false), Optional.of(inner));
    }

    /**
     * Whether the Python has the same path inside: the system's Python, whose libraries are in folders that every
     * sandbox mounts, and the Python of an image.
     */
    private boolean belongsToSystem() {
        return inner.isPresent() || python.home().equals(Path.of("/usr"));
    }

    /** Returns a text that distinguishes it from another Python at the same path. */
    public String origin() {
        return inner.map(ImagePython::origin).orElse("");
    }

    public List<Volume> volumes() {
        return belongsToSystem() ? List.of() : needsOwnPrefix() ? List.of(home(), atOwnPrefix()) : List.of(home());
    }

    public Path executable(Sandbox sandbox) {
        return belongsToSystem()
                ? python.executable()
                : sandbox.pathOf(home()).resolve(python.home().relativize(python.executable()));
    }

    public Map<String, String> variables(Sandbox sandbox) {
        Map<String, String> variables = new TreeMap<>(Map.of("LANG", "C.UTF-8"));
        Path home = sandbox.pathOf(home());
        if (python.sharedLibrary() && !belongsToSystem() && !home.equals(python.home())) {
            // The interpreter may refer to its library by a host path that does not exist inside.
            variables.put("LD_LIBRARY_PATH", home.resolve("lib").toString());
        }
        return variables;
    }

    /** Returns the folder name of the standard library, such as {@code python3.13}. */
    public String libraryName() {
        String[] parts = python.version().split("\\.", -1);
        return "python" + parts[0] + "." + parts[1];
    }

    /**
     * Whether it is shown where it is on the host, too. There an interpreter that is started without LD_LIBRARY_PATH
     * finds its library, and a linker finds it for programs that embed Python.
     */
    private boolean needsOwnPrefix() {
        return python.sharedLibrary()
                && FREE.stream().anyMatch(python.home()::startsWith)
                && !python.home().startsWith(USER);
    }

    private Volume atOwnPrefix() {
        return new Volume.Content(key(), python.home(), python.home());
    }

    private Volume home() {
        return Volume.Content.of(key(), python.home(), "/python");
    }

    private String key() {
        return "python " + python.version() + " " + python.home();
    }
}
