package dev.pysandbox.run;

import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;

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

    /** Starts with the defaults; {@link PythonSandboxBuilder#build} ends it. */
    public static PythonSandboxBuilder builder() {
        return new PythonSandboxBuilder();
    }

    /** Gets ready to run scripts; what takes time is done when it is first needed. */
    public static PythonSandbox open(Config config) throws IOException {
        return new PythonSandbox(new Workbench(config));
    }

    /** Gets ready for the first script in the background, and keeps sandboxes waiting for more from then on. */
    public void keepWarm() {
        workbench.keepWarm();
    }

    /**
     * Runs one script and waits for its end. What the script does, and what keeps it from running, is part of the
     * result. Interrupting the calling thread kills the script at once and gives a result with {@link Status#CANCELLED}.
     */
    public ExecutionResult execute(ExecutionRequest request, ExecutionListener listener) {
        return executor.execute(request, listener);
    }

    /** The same for those who only want the result. */
    public ExecutionResult execute(ExecutionRequest request) {
        return execute(request, ExecutionListener.NONE);
    }

    /** Says whether a script could run, without running it. */
    public ValidationReport validate(String script, List<String> dependencies) {
        return new Validator(scripts, workbench.config()).validate(script, dependencies);
    }

    /** Tries what this machine can do, inside the sandbox too. */
    public EnvironmentReport check() {
        return new EnvironmentProbe(workbench, scripts).look();
    }

    /**
     * Gets ready what scripts often need: uv, a Python, common packages.
     *
     * @param progress hears of each step, such as {@code 3/16 numpy}
     * @return of the last step, or of the first that failed
     */
    public ExecutionResult warm(Consumer<String> progress) {
        return new Warming(executor).warm(progress);
    }

    /** Kills what still runs and removes what was temporary. */
    @Override
    public void close() {
        workbench.close();
    }
}
