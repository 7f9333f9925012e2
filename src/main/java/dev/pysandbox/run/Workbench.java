package dev.pysandbox.run;

import dev.pysandbox.egress.EgressPolicy;
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
import dev.pysandbox.sandbox.Backend;
import dev.pysandbox.sandbox.DockerSettings;
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
import java.util.concurrent.CancellationException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
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
    private final FutureTask<SandboxFactory.Choice> choice;
    private final List<Consumer<String>> waitingForChoice = new CopyOnWriteArrayList<>();
    private final AtomicBoolean choosing = new AtomicBoolean();
    private Optional<PythonLayout> python = Optional.empty();
    private Optional<EnvironmentStore> store = Optional.empty();

    private final List<Supervisor> running = new ArrayList<>();
    private boolean closed;

    private final Object findingPython = new Object();

    Workbench(Config config) throws IOException {
        this.config = config;
        this.host = Host.current(config.cacheDir());
        this.index = IndexSettings.fromEnvironment(host.environment());
        this.uv = new UvSource(config.uvPath(), host, index);
        this.runtime = RuntimeFolder.create();
        this.supervisor = SupervisorProgram.extract(runtime.path().resolve("supervisor"));
        this.factory = new SandboxFactory(
                new Spawner(),
                runtime,
                host.environment(),
                new DockerSettings(config.dockerImage(), config.dockerRuntime(), config.pythonVersion()));
        this.choice = new FutureTask<>(() -> factory.choose(
                config.backend(), message -> waitingForChoice.forEach(waiting -> waiting.accept(message))));
        if (config.backend() == Backend.DOCKER) {
            startChoosing(); // an image may have to be made
        }
    }

    Config config() {
        return config;
    }

    /** Waits for the choice to be made; hears what is done for it meanwhile. */
    SandboxFactory.Choice choice(Consumer<String> progress) throws InterruptedException {
        waitingForChoice.add(progress);
        try {
            startChoosing();
            return choice.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        } catch (CancellationException e) {
            throw new InterruptedException("the server ends");
        } finally {
            waitingForChoice.remove(progress);
        }
    }

    SandboxFactory.Choice choice() {
        try {
            return choice(message -> {});
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CancellationException("while waiting for the sandbox");
        }
    }

    /** On a thread of its own: the caller who comes first may be cancelled while others wait. */
    private void startChoosing() {
        if (choosing.compareAndSet(false, true)) {
            Thread thread = new Thread(choice, "choosing-sandbox");
            thread.setDaemon(true);
            thread.start();
        }
    }

    Sandbox sandbox() {
        return choice().sandbox();
    }

    PythonLayout python(Consumer<String> progress) throws MissingToolException, InterruptedException {
        synchronized (findingPython) {
            if (python.isEmpty()) {
                python = sandbox().ownPython().map(PythonLayout::of);
            }
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
                store = Optional.of(new EnvironmentStore(host.cacheDir(), sandbox, installer));
            }
            return store.get();
        }
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
        return opened(
                Supervisor.start(sandbox, new Job(argv, mounts, variables, limits(), config.network(), egress())));
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
        choice.cancel(true);
        left.parallelStream().forEach(Supervisor::close);
        runtime.close();
    }
}
