package dev.pysandbox.execution;

import dev.pysandbox.api.Config;
import dev.pysandbox.api.EnvironmentReport;
import dev.pysandbox.api.ExecutionListener;
import dev.pysandbox.api.ExecutionRequest;
import dev.pysandbox.api.ExecutionResult;
import dev.pysandbox.api.PythonSandbox;
import dev.pysandbox.api.ValidationReport;
import dev.pysandbox.environment.BackgroundTasks;
import dev.pysandbox.environment.BytecodeCompiler;
import dev.pysandbox.environment.CacheWarmer;
import dev.pysandbox.environment.install.InstallException;
import dev.pysandbox.index.IndexSettings;
import dev.pysandbox.sandbox.SandboxFactory;
import dev.pysandbox.sandbox.SandboxProvider;
import dev.pysandbox.sandbox.bubblewrap.BubblewrapProvider;
import dev.pysandbox.sandbox.docker.DockerProvider;
import dev.pysandbox.sandbox.docker.DockerSettings;
import dev.pysandbox.sandbox.local.NoSandboxProvider;
import dev.pysandbox.sandbox.local.RuntimeFolder;
import dev.pysandbox.supervisor.SupervisorProgram;
import dev.pysandbox.support.Folders;
import dev.pysandbox.support.Host;
import dev.pysandbox.support.IdleGarbageCollector;
import dev.pysandbox.support.Platform;
import dev.pysandbox.support.Spawner;
import dev.pysandbox.support.Threads;
import dev.pysandbox.toolchain.MissingToolException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The implementation of the Java API. Creates all components, connects them and closes them. */
public final class LocalPythonSandbox implements PythonSandbox {
    private static final Logger log = LoggerFactory.getLogger(LocalPythonSandbox.class);
    private static final Duration UNTIL_IDLE = Duration.ofSeconds(3);

    private final Config config;
    private final RuntimeFolder runtime;
    private final SupervisorProgram supervisor;
    private final SandboxSelection selection;
    private final Environments environments;
    private final ScriptSandboxes scriptSandboxes;
    private final WarmSandboxes sandboxes;
    private final Executor executor;
    private final CacheWarmer warmer;
    private final BackgroundTasks background = new BackgroundTasks();
    private final Thread warmUp;

    private LocalPythonSandbox(Config config, Host host, IndexSettings index, RuntimeFolder runtime, Backends backends)
            throws IOException {
        this.config = config;
        this.runtime = runtime;
        this.supervisor = SupervisorProgram.extract(runtime.path().resolve("supervisor"));
        SandboxFactory factory = new SandboxFactory(backends.providers(host, runtime));
        this.selection =
                new SandboxSelection(progress -> factory.choose(config.sandbox().backend(), progress));
        this.environments = new Environments(config, host, index, supervisor, selection);
        DataMounts data = DataMounts.of(config.shared().mounts(), runtime.path().resolve("empty"), System::nanoTime);
        this.scriptSandboxes = new ScriptSandboxes(config, host, index, supervisor, data, environments);
        this.sandboxes = new WarmSandboxes(scriptSandboxes, config.sandbox().warmPool(), new IdleGarbageCollector());
        this.executor = new Executor(config, selection, environments, sandboxes);
        this.warmer = new CacheWarmer(host, environments::store);
        this.warmUp = Threads.daemon("warm-up", this::warmUp);
    }

    /** The backends to choose from. */
    interface Backends {
        List<SandboxProvider> providers(Host host, RuntimeFolder runtime);
    }

    /** Opens a sandbox. Slow steps are delayed until they are needed. */
    public static LocalPythonSandbox open(Config config) throws IOException {
        return open(config, (host, runtime) -> providers(config, host, runtime));
    }

    static LocalPythonSandbox open(Config config, Backends backends) throws IOException {
        return open(config, Host.current(config.cache().folder()), backends);
    }

    static LocalPythonSandbox open(Config config, Host host, Backends backends) throws IOException {
        createCache(host.cacheDir());
        IndexSettings index = IndexSettings.fromEnvironment(host.environment());
        RuntimeFolder runtime = RuntimeFolder.create();
        try {
            return new LocalPythonSandbox(config, host, index, runtime, backends);
        } catch (IOException | RuntimeException e) {
            runtime.close();
            throw e;
        }
    }

    /** Creates the cache folder. Ignores errors, which are reported with more detail when the folder is needed. */
    private static void createCache(Path folder) {
        try {
            Folders.createPrivate(folder);
        } catch (IOException e) {
            log.debug("can't create {}: {}", folder, e.toString());
        }
    }

    private static List<SandboxProvider> providers(Config config, Host host, RuntimeFolder runtime) {
        Spawner spawner = new Spawner();
        Platform.Os system = Platform.Os.current();
        DockerSettings docker = new DockerSettings(
                config.docker().image(),
                config.docker().runtime(),
                config.install().pythonVersion());
        List<SandboxProvider> providers = new ArrayList<>();
        if (system == Platform.Os.LINUX) {
            providers.add(new BubblewrapProvider(spawner, runtime, host.environment()));
        }
        providers.add(new DockerProvider(spawner, runtime, host.environment(), system, docker));
        providers.add(new NoSandboxProvider(spawner, runtime));
        return providers;
    }

    @Override
    public <T> T execute(ExecutionRequest request, ExecutionListener listener, Function<ExecutionResult, T> use) {
        return executor.execute(request, listener, use);
    }

    @Override
    public ValidationReport validate(String script, List<String> dependencies, Consumer<String> progress) {
        return new Validator(executor, config).validate(script, dependencies, progress);
    }

    @Override
    public EnvironmentReport check(Consumer<String> progress) {
        return new EnvironmentProbe(config, selection, environments, scriptSandboxes, executor).report(progress);
    }

    @Override
    public Optional<String> warm(Consumer<String> progress) {
        try {
            environments.forgetFailedDownloads();
            warmer.warm(environments.python(progress), progress);
            return Optional.empty();
        } catch (IOException | InstallException | MissingToolException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.of("interrupted");
        }
    }

    /**
     * Does what {@link #warm} does in the background: a few seconds later, when no script runs, at low priority. Does
     * nothing if the settings turn it off or it was done in the last seven days.
     */
    public void warmInBackground() {
        if (config.cache().warm()) {
            warmer.warmInBackground(environments::python, executor::isIdle);
        }
    }

    /** Starts to choose the sandbox in the background, for a call that follows at once. */
    public void chooseBackend() {
        selection.begin();
    }

    /** Does a task in the background a few seconds later, when no script runs; closing the sandbox interrupts it. */
    public void whenIdle(String name, BackgroundTasks.Work task) {
        background.later(name, UNTIL_IDLE, () -> {
            if (executor.isIdle()) {
                task.run();
            } else {
                whenIdle(name, task);
            }
        });
    }

    /** Starts to keep sandboxes ready for the next scripts, in the background. */
    public void keepWarm() {
        warmUp.start();
    }

    /**
     * Waits until {@link #keepWarm} has prepared the environment without packages. A sandbox for it may still be
     * starting.
     */
    public void awaitWarm() throws InterruptedException {
        warmUp.join();
    }

    private void warmUp() {
        sandboxes.open();
        try {
            sandboxes.want(environments.prepare(List.of(), List.of(), progress -> {}));
            new BytecodeCompiler(environments.sandbox(), supervisor)
                    .compileSupervisor(environments.python(progress -> {}));
        } catch (IOException | InstallException | MissingToolException e) {
            log.debug("warm-up failed: {}", e.toString()); // the first call will report it
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** For tests. */
    Executor executor() {
        return executor;
    }

    @Override
    public void close() {
        executor.close();
        warmUp.interrupt();
        selection.cancel();
        sandboxes.close();
        Threads.awaitEnd(warmUp);
        warmer.close();
        background.close();
        environments.close();
        selection.close(); // after all processes of the sandbox
        runtime.close();
    }
}
