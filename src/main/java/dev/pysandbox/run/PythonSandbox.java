package dev.pysandbox.run;

import java.io.IOException;
import java.util.List;

/** Runs Python scripts with their dependencies in a throwaway sandbox; safe for use by many threads. */
public final class PythonSandbox implements AutoCloseable {
    private final Workbench workbench;
    private final Executor executor;
    private final InnerScripts scripts;

    private PythonSandbox(Workbench workbench) {
        this.workbench = workbench;
        this.executor = new Executor(workbench);
        this.scripts = new InnerScripts(executor);
    }

    /** Gets ready to run scripts; what takes time is done when it is first needed. */
    public static PythonSandbox open(Config config) throws IOException {
        return new PythonSandbox(new Workbench(config));
    }

    /**
     * Runs one script and waits for its end. What the script does, and what keeps it from running, is part of the
     * result. Interrupting the calling thread kills the script at once and gives a result with {@link Status#CANCELLED}.
     */
    public ExecutionResult execute(ExecutionRequest request, ExecutionListener listener) {
        return executor.execute(request, listener);
    }

    /** Says whether a script could run, without running it. */
    public ValidationReport validate(String script, List<String> dependencies) {
        return new Validator(scripts, workbench.config()).validate(script, dependencies);
    }

    /** Tries what this machine can do, inside the sandbox too. */
    public EnvironmentReport check() {
        return new EnvironmentProbe(workbench, scripts).look();
    }

    /** The folders of the host that scripts find under /data, such as {@code /data/sales (read-only)}. */
    public List<String> dataFolders() {
        return workbench.config().mounts().stream()
                .map(Config.DataFolder::description)
                .toList();
    }

    /** Kills what still runs and removes what was temporary. */
    @Override
    public void close() {
        workbench.close();
    }
}
