package dev.pysandbox.execution;

import dev.pysandbox.api.Config;
import dev.pysandbox.environment.BytecodeCompiler;
import dev.pysandbox.environment.EnvironmentStore;
import dev.pysandbox.environment.PythonEnvironment;
import dev.pysandbox.environment.install.InstallException;
import dev.pysandbox.environment.install.Installer;
import dev.pysandbox.index.IndexSettings;
import dev.pysandbox.sandbox.Sandbox;
import dev.pysandbox.supervisor.SupervisorProgram;
import dev.pysandbox.support.Host;
import dev.pysandbox.toolchain.MissingToolException;
import dev.pysandbox.toolchain.PythonLayout;
import dev.pysandbox.toolchain.Pythons;
import dev.pysandbox.toolchain.Uv;
import dev.pysandbox.toolchain.UvSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/** Finds or creates, on first use, what scripts need besides the sandbox: the Python, the environments with packages. */
final class Environments implements AutoCloseable {
    private final Config config;
    private final Host host;
    private final IndexSettings index;
    private final UvSource uv;
    private final SupervisorProgram supervisor;
    private final SandboxSelection selection;
    private final ReentrantLock findingPython = new ReentrantLock();
    private Optional<PythonLayout> python = Optional.empty();
    private Optional<EnvironmentStore> store = Optional.empty();

    Environments(
            Config config, Host host, IndexSettings index, SupervisorProgram supervisor, SandboxSelection selection) {
        this.config = config;
        this.host = host;
        this.index = index;
        this.uv = new UvSource(config.install().uvPath(), host, index);
        this.supervisor = supervisor;
        this.selection = selection;
    }

    /** Returns the sandbox if it is already chosen. */
    Optional<Sandbox> chosen() {
        return selection.chosen();
    }

    /** Waits until the sandbox is chosen. */
    Sandbox sandbox() {
        return selection.getOrCancel(progress -> {}).sandbox();
    }

    /** Finds or installs the Python that runs scripts. */
    PythonLayout python(Consumer<String> progress) throws MissingToolException, InterruptedException {
        findingPython.lockInterruptibly(); // one caller may download it while others wait
        try {
            if (python.isEmpty()) {
                python = selection.get(progress).sandbox().ownPython().map(PythonLayout::of);
            }
            if (python.isEmpty()) {
                Pythons pythons = new Pythons(host, uv, index, progress);
                python = Optional.of(
                        new PythonLayout(pythons.find(config.install().pythonVersion())));
            }
            return python.get();
        } finally {
            findingPython.unlock();
        }
    }

    /** Makes the next call try downloads of Python and uv again that failed a short time ago. */
    void forgetFailedDownloads() {
        uv.forgetFailedDownloads();
    }

    /** Returns the installed uv; empty if it has not been downloaded yet. */
    Optional<Uv> presentUv() throws MissingToolException, InterruptedException {
        return uv.present();
    }

    /**
     * Finds or installs an environment with these packages.
     *
     * @param modules what the script imports first
     */
    PythonEnvironment prepare(List<String> dependencies, List<String> modules, Consumer<String> progress)
            throws InstallException, MissingToolException, InterruptedException {
        return store().prepare(python(progress), dependencies, modules, progress);
    }

    EnvironmentStore store() {
        Sandbox sandbox = sandbox();
        synchronized (this) {
            if (store.isEmpty()) {
                Installer installer = new Installer(
                        host,
                        sandbox,
                        supervisor,
                        index,
                        uv,
                        config.install().packageAge(),
                        config.cache().maxSize());
                BytecodeCompiler compiler = new BytecodeCompiler(sandbox, supervisor);
                store = Optional.of(new EnvironmentStore(
                        host.cacheDir(),
                        sandbox,
                        installer,
                        compiler,
                        config.cache().maxSize()));
            }
            return store.get();
        }
    }

    @Override
    public void close() {
        Optional<EnvironmentStore> opened;
        synchronized (this) {
            opened = store;
        }
        opened.ifPresent(EnvironmentStore::close);
    }
}
