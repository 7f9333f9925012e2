package dev.pysandbox.run;

import dev.pysandbox.egress.EgressPolicy;
import dev.pysandbox.env.BytecodeCompiler;
import dev.pysandbox.env.CacheWarmer;
import dev.pysandbox.env.Environment;
import dev.pysandbox.env.EnvironmentStore;
import dev.pysandbox.env.Host;
import dev.pysandbox.env.IndexSettings;
import dev.pysandbox.env.Installer;
import dev.pysandbox.env.MissingToolException;
import dev.pysandbox.env.ProxyVariables;
import dev.pysandbox.env.PythonLayout;
import dev.pysandbox.env.Pythons;
import dev.pysandbox.env.Uv;
import dev.pysandbox.env.UvSource;
import dev.pysandbox.process.Spawner;
import dev.pysandbox.sandbox.Job;
import dev.pysandbox.sandbox.Limits;
import dev.pysandbox.sandbox.Mount;
import dev.pysandbox.sandbox.Network;
import dev.pysandbox.sandbox.RuntimeFolder;
import dev.pysandbox.sandbox.Sandbox;
import dev.pysandbox.sandbox.SandboxFactory;
import dev.pysandbox.supervisor.Supervisor;
import dev.pysandbox.supervisor.SupervisorProgram;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** The parts that every call needs, each found or made when it is first asked for, and kept. */
final class Workbench implements AutoCloseable {
    private final Config config;
    private final Host host;
    private final IndexSettings index;
    private final UvSource uv;
    private final RuntimeFolder runtime;
    private final SupervisorProgram supervisor;
    private final SandboxFactory factory;
    private Optional<SandboxFactory.Choice> choice = Optional.empty();
    private Optional<PythonLayout> python = Optional.empty();
    private Optional<EnvironmentStore> store = Optional.empty();
    private final CacheWarmer warmer;

    private final List<Supervisor> running = new ArrayList<>();
    private boolean closed;

    private final Object choosing = new Object();
    private final Object findingPython = new Object();

    Workbench(Config config) throws IOException {
        this.config = config;
        this.host = Host.current(config.cacheDir());
        this.index = IndexSettings.fromEnvironment(host.environment());
        this.uv = new UvSource(config.uvPath(), host, index);
        this.runtime = RuntimeFolder.create();
        this.supervisor = SupervisorProgram.extract(runtime.path().resolve("supervisor"));
        this.factory = new SandboxFactory(new Spawner(), runtime, host.environment());
        this.warmer = new CacheWarmer(host, this::store);
    }

    Config config() {
        return config;
    }

    SandboxFactory.Choice choice() {
        synchronized (choosing) {
            if (choice.isEmpty()) {
                choice = Optional.of(factory.choose(config.backend()));
            }
            return choice.get();
        }
    }

    Sandbox sandbox() {
        return choice().sandbox();
    }

    PythonLayout python(Consumer<String> progress) throws MissingToolException, InterruptedException {
        synchronized (findingPython) {
            if (python.isEmpty()) {
                Pythons pythons = new Pythons(host, uv, index, progress);
                python = Optional.of(new PythonLayout(pythons.find(config.pythonVersion())));
            }
            return python.get();
        }
    }

    /** The uv that is there already, if any. */
    Optional<Uv> presentUv() throws MissingToolException, InterruptedException {
        return uv.present();
    }

    EnvironmentStore store() {
        Sandbox sandbox = sandbox();
        synchronized (this) {
            if (store.isEmpty()) {
                Installer installer = new Installer(host, sandbox, supervisor, index, uv);
                BytecodeCompiler compiler = new BytecodeCompiler(sandbox, supervisor);
                store = Optional.of(
                        new EnvironmentStore(host.cacheDir(), sandbox, installer, compiler, config.maxCacheSize()));
            }
            return store.get();
        }
    }

    CacheWarmer warmer() {
        return warmer;
    }

    /** Starts a sandbox whose interpreter waits for a script. */
    Supervisor start(Environment environment) throws IOException {
        Sandbox sandbox = sandbox();
        Map<String, String> variables = new LinkedHashMap<>(environment.variables(sandbox));
        List<Mount> mounts = new ArrayList<>(environment.mounts());
        mounts.add(supervisor.mount());
        for (Config.DataFolder folder : config.mounts()) {
            mounts.add(
                    folder.writable()
                            ? Mount.writable(folder.path(), folder.target())
                            : Mount.readOnly(folder.path(), folder.target()));
        }
        if (sandbox.isolates()) {
            certificates().ifPresent(bundle -> {
                mounts.add(bundle);
                variables.put("SSL_CERT_FILE", bundle.target().toString());
                variables.put("REQUESTS_CA_BUNDLE", bundle.target().toString());
            });
        }
        if (sandbox.isolates() && config.network() == Network.INTERNET) {
            variables.putAll(ProxyVariables.INSIDE);
        }
        variables.putAll(config.environment());
        variables.put(
                supervisor.variable(sandbox).getKey(),
                supervisor.variable(sandbox).getValue());
        List<String> argv = List.of(environment.interpreter(sandbox).toString(), "script.py");
        Runnable release = store().use(environment);
        try {
            Job job = new Job(argv, mounts, variables, limits(), config.network(), egress());
            Supervisor started = Supervisor.start(sandbox, job);
            started.afterClose(release);
            return opened(started);
        } catch (IOException e) {
            release.run();
            throw e;
        }
    }

    private Supervisor opened(Supervisor started) {
        synchronized (running) {
            running.removeIf(Supervisor::isClosed);
            running.add(started);
            if (closed) {
                started.close();
            }
        }
        return started;
    }

    Limits limits() {
        return new Limits(config.maxMemory(), config.maxProcesses(), config.maxCpus(), 1024, config.tmpSize());
    }

    /** Certificates are no secret, and behind a company's proxy nothing works without its own. */
    private Optional<Mount> certificates() {
        return config.network() == Network.NONE
                ? Optional.empty()
                : index.caBundle().map(bundle -> Mount.readOnly(bundle, "/ca.pem"));
    }

    private EgressPolicy egress() {
        EgressPolicy policy =
                config.allowHosts().isEmpty() ? EgressPolicy.publicInternet() : EgressPolicy.only(config.allowHosts());
        return policy.asHostDoes(host.environment());
    }

    /** Kills what still runs, then removes what was temporary. */
    @Override
    public void close() {
        List<Supervisor> left;
        synchronized (running) {
            closed = true;
            left = List.copyOf(running);
        }
        left.parallelStream().forEach(Supervisor::close);
        warmer.close();
        Optional<EnvironmentStore> opened;
        synchronized (this) {
            opened = store;
        }
        opened.ifPresent(EnvironmentStore::close);
        runtime.close();
    }
}
