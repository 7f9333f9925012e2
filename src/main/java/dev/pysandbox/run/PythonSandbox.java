package dev.pysandbox.run;

import dev.pysandbox.env.InstallException;
import dev.pysandbox.env.MissingToolException;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/** Runs Python scripts with their dependencies in a throwaway sandbox; safe for use by many threads. */
public final class PythonSandbox implements AutoCloseable {
    private final Workbench workbench;
    private final Executor executor;

    private PythonSandbox(Workbench workbench) {
        this.workbench = workbench;
        this.executor = new Executor(workbench);
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

    /** Waits for what {@link #keepWarm} does first. */
    public void awaitWarm() throws InterruptedException {
        workbench.awaitWarm();
    }

    /**
     * Runs one script and waits for its end. What the script does, and what keeps it from running, is part of the
     * result. Interrupting the calling thread kills the script at once and gives a result with {@link Status#CANCELLED}.
     */
    public ExecutionResult execute(ExecutionRequest request, ExecutionListener listener) {
        return execute(request, listener, result -> result);
    }

    /**
     * Runs one script and passes its result to a function before another script takes its place: so that no more results,
     * which may hold large files, are in use at once than scripts may run at a time.
     */
    public <T> T execute(ExecutionRequest request, ExecutionListener listener, Function<ExecutionResult, T> use) {
        return executor.execute(request, listener, use);
    }

    /** The same for those who only want the result. */
    public ExecutionResult execute(ExecutionRequest request) {
        return execute(request, ExecutionListener.NONE);
    }

    /**
     * Says whether a script could run, without running it.
     *
     * @throws java.util.concurrent.CancellationException when the calling thread is interrupted or the sandbox closed
     */
    public ValidationReport validate(String script, List<String> dependencies) {
        return validate(script, dependencies, message -> {});
    }

    /** The same for those who want to hear what is done for it, in words for people. */
    public ValidationReport validate(String script, List<String> dependencies, Consumer<String> progress) {
        return new Validator(new InnerScripts(executor, progress), workbench.config()).validate(script, dependencies);
    }

    /**
     * Tries what this machine can do, inside the sandbox too.
     *
     * @throws java.util.concurrent.CancellationException when the calling thread is interrupted or the sandbox closed
     */
    public EnvironmentReport check() {
        return check(message -> {});
    }

    /** The same for those who want to hear what is done for it, in words for people. */
    public EnvironmentReport check(Consumer<String> progress) {
        return new EnvironmentProbe(workbench, new InnerScripts(executor, progress)).look(progress);
    }

    /**
     * Gets ready what scripts often need: uv, a Python, common packages.
     *
     * @param progress hears of each step, in words for people
     * @return why not, in a sentence, if that failed
     */
    public Optional<String> warm(Consumer<String> progress) {
        try {
            workbench.warmer().warm(workbench.python(progress), progress);
            return Optional.empty();
        } catch (IOException | InstallException | MissingToolException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.of("interrupted");
        }
    }

    /** The same a little later, at low priority, when no script runs; nothing where that is turned off. */
    public void warmInBackground() {
        if (workbench.config().warmCache()) {
            workbench.warmer().warmInBackground(workbench::python, executor::isIdle);
        }
    }

    /** The folders of the host that scripts find under /data, such as {@code /data/sales (read-only)}. */
    public List<String> dataFolders() {
        return workbench.config().mounts().stream()
                .map(Config.DataFolder::description)
                .toList();
    }

    /** Whether the files that scripts make are kept. */
    public boolean keepsFiles() {
        return workbench.config().keepFiles().isPresent();
    }

    /** Kills what still runs and removes what was temporary. */
    @Override
    public void close() {
        workbench.close();
    }
}
