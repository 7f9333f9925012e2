package dev.pysandbox.supervisor;

import dev.pysandbox.sandbox.Sandbox;
import dev.pysandbox.sandbox.Volume;
import dev.pysandbox.support.BundledFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** The supervisor's files on the host, and the variable and arguments that start it. */
public final class SupervisorProgram {
    private static final String RESTRICTED = "restricted.py";
    private static final List<String> FILES = List.of(
            "supervisor.py",
            "watch.py",
            "memory.py",
            "files.py",
            "proxy.py",
            "variables.py",
            "figures.py",
            "value.py",
            RESTRICTED);

    /**
     * The folder of the supervisor, for the environment's .pth file, which removes the variable so that the script does
     * not see it.
     */
    private static final String VARIABLE = "PYTHON_SANDBOX_SUPERVISOR";

    /**
     * The name of the .pth file of an environment that loads the supervisor. The interpreter reads .pth files in the
     * order of their names, so this one comes first: those of packages run after the supervisor has forked.
     */
    public static final String PTH_NAME = "!python_sandbox.pth";

    /**
     * The line of that file. It imports the supervisor before any package with a module of that name, then removes all
     * traces of the import.
     */
    public static final String PTH_LINE = "import os, sys; p = os.environ.pop(\"" + VARIABLE + "\", None);"
            + " p and (sys.path.insert(0, p), __import__(\"supervisor\"), sys.path.remove(p),"
            + " sys.path_importer_cache.pop(p, None), sys.modules.pop(\"supervisor\"))\n";

    private final Path folder;
    private volatile boolean compiled;

    private SupervisorProgram(Path folder) {
        this.folder = folder;
    }

    /** Writes the files into a folder. */
    public static SupervisorProgram extract(Path folder) throws IOException {
        Files.createDirectories(folder);
        for (String name : FILES) {
            Files.write(folder.resolve(name), resource(name));
        }
        return new SupervisorProgram(folder);
    }

    /** Returns the source of the program that checks a script against the restricted policy. */
    public static byte[] restrictedPolicy() {
        return resource(RESTRICTED);
    }

    private static byte[] resource(String name) {
        return BundledFile.bytes(SupervisorProgram.class, name);
    }

    public Path folder() {
        return folder;
    }

    /** Records that the folder now contains the bytecode of the files. */
    public void markCompiled() {
        compiled = true;
    }

    public Volume volume() {
        return Volume.Content.of(compiled ? "supervisor compiled" : "supervisor", folder, "/run/supervisor");
    }

    /** Returns the variable that makes {@code python script.py} a supervisor of that script. */
    public Map.Entry<String, String> variable(Sandbox sandbox) {
        return Map.entry(VARIABLE, sandbox.pathOf(volume()).toString());
    }

    /** Returns the arguments that make an interpreter a supervisor of commands. */
    public List<String> arguments(Sandbox sandbox) {
        return List.of(
                "-I", "-S", sandbox.pathOf(volume()).resolve("supervisor.py").toString());
    }
}
