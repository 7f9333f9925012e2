package dev.pysandbox.environment;

import dev.pysandbox.sandbox.Sandbox;
import dev.pysandbox.sandbox.Volume;
import dev.pysandbox.toolchain.PythonLayout;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A folder with an interpreter and the packages of one set of requirements. Only bytecode is added after its creation.
 *
 * @param installed how long the installation took; empty if it existed before or has no packages
 */
public record PythonEnvironment(Path folder, PythonLayout python, Optional<Duration> installed) {

    /** Returns the volumes that a process needs to run the environment's interpreter. */
    public List<Volume> volumes() {
        List<Volume> volumes = new ArrayList<>(python.volumes());
        volumes.add(content());
        return volumes;
    }

    public Path interpreter(Sandbox sandbox) {
        return sandbox.pathOf(content()).resolve("bin").resolve("python");
    }

    /** Returns the variables for the interpreter. */
    public Map<String, String> variables(Sandbox sandbox) {
        Map<String, String> variables = new TreeMap<>(python.variables(sandbox));
        variables.put("PATH", sandbox.pathOf(content()).resolve("bin") + ":/usr/bin:/bin");
        return variables;
    }

    private Volume content() {
        String compiled = CompiledMark.of(folder).isSet() ? " compiled" : "";
        return Volume.Content.of("environment " + folder.getFileName() + compiled, folder, "/env");
    }
}
