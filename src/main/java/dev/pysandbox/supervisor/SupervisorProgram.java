package dev.pysandbox.supervisor;

import dev.pysandbox.sandbox.Sandbox;
import dev.pysandbox.sandbox.Volume;
import dev.pysandbox.support.BundledFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** The supervisor's files on the host, and the ways to start it. */
public final class SupervisorProgram {
    private static final String RESTRICTED = "restricted.py";
    private static final List<String> FILES = List.of(
            "supervisor.py", "watch.py", "memory.py", "files.py", "proxy.py", "variables.py", "figures.py", RESTRICTED);

    /** Tells the environment's .pth line that a supervisor is wanted, and where it is; the script never sees it. */
    private static final String VARIABLE = "PYTHON_SANDBOX_SUPERVISOR";

    /**
     * The name of an environment's .pth file that loads the supervisor. The interpreter reads such files in the order of
     * their names, and this one first: what packages bring runs when the supervisor has forked.
     */
    public static final String PTH_NAME = "!python_sandbox.pth";

    /**
     * The line of that file. It looks for the supervisor before all packages, which may have a module of that name, and
     * takes back all that the loading left.
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

    /** The program that checks a script against the restricted policy. */
    public static byte[] restrictedPolicy() {
        return resource(RESTRICTED);
    }

    private static byte[] resource(String name) {
        return BundledFile.bytes(SupervisorProgram.class, name);
    }

    public Path folder() {
        return folder;
    }

    /** Announces that the folder has the bytecode of the files. */
    public void markCompiled() {
        compiled = true;
    }

    public Volume volume() {
        return Volume.Content.of(compiled ? "supervisor compiled" : "supervisor", folder, "/run/supervisor");
    }

    /** The variable with which {@code python script.py} becomes a supervisor of that script. */
    public Map.Entry<String, String> variable(Sandbox sandbox) {
        return Map.entry(VARIABLE, sandbox.pathOf(volume()).toString());
    }

    /** The arguments that make an interpreter a supervisor of commands. */
    public List<String> arguments(Sandbox sandbox) {
        return List.of(
                "-I", "-S", sandbox.pathOf(volume()).resolve("supervisor.py").toString());
    }
}
