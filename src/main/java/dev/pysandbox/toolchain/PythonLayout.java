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
 * How a Python is seen from inside a sandbox.
 *
 * @param inner set where it is the sandbox's own rather than the host's
 */
public record PythonLayout(Python python, Optional<ImagePython> inner) {
    public PythonLayout(Python python) {
        this(python, Optional.empty());
    }

    public static PythonLayout of(ImagePython inner) {
        return new PythonLayout(
                new Python(inner.version(), inner.executable(), inner.home(), false), Optional.of(inner));
    }

    /**
     * The system's own Python is seen where it is: its libraries are spread over folders that every sandbox shows. So
     * is that of the sandbox itself.
     */
    private boolean belongsToSystem() {
        return inner.isPresent() || python.home().equals(Path.of("/usr"));
    }

    /** What tells it from another at the same place. */
    public String origin() {
        return inner.map(ImagePython::origin).orElse("");
    }

    public List<Volume> volumes() {
        return belongsToSystem() ? List.of() : List.of(home());
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
            // The interpreter may know its library by a path of the host that is not there inside.
            variables.put("LD_LIBRARY_PATH", home.resolve("lib").toString());
        }
        return variables;
    }

    /** The folder name of the standard library, such as {@code python3.13}. */
    public String libraryName() {
        String[] parts = python.version().split("\\.", -1);
        return "python" + parts[0] + "." + parts[1];
    }

    private Volume home() {
        return Volume.Content.of("python " + python.version() + " " + python.home(), python.home(), "/python");
    }
}
