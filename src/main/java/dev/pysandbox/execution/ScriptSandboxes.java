package dev.pysandbox.execution;

import dev.pysandbox.api.Config;
import dev.pysandbox.api.Network;
import dev.pysandbox.egress.EgressPolicy;
import dev.pysandbox.egress.InvalidProxyException;
import dev.pysandbox.environment.PythonEnvironment;
import dev.pysandbox.index.IndexSettings;
import dev.pysandbox.index.ProxyVariables;
import dev.pysandbox.sandbox.Job;
import dev.pysandbox.sandbox.Job.Priority;
import dev.pysandbox.sandbox.PoolLimits;
import dev.pysandbox.sandbox.Sandbox;
import dev.pysandbox.sandbox.Volume;
import dev.pysandbox.supervisor.Preparation;
import dev.pysandbox.supervisor.Supervisor;
import dev.pysandbox.supervisor.SupervisorProgram;
import dev.pysandbox.support.Host;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Starts sandboxes for scripts according to the settings. Closes those that are still open at shutdown. */
final class ScriptSandboxes implements AutoCloseable {
    private static final Duration TIME_TO_START = Duration.ofSeconds(10);

    private final Config config;
    private final Host host;
    private final IndexSettings index;
    private final SupervisorProgram supervisor;
    private final DataMounts data;
    private final Environments environments;
    private final List<Supervisor> open = new ArrayList<>();
    private int starting;
    private boolean closed;

    ScriptSandboxes(
            Config config,
            Host host,
            IndexSettings index,
            SupervisorProgram supervisor,
            DataMounts data,
            Environments environments) {
        this.config = config;
        this.host = host;
        this.index = index;
        this.supervisor = supervisor;
        this.data = data;
        this.environments = environments;
    }

    /** Starts a sandbox and returns before it is ready. */
    Supervisor start(PythonEnvironment environment, Preparation preparation) throws IOException {
        Sandbox sandbox = environments.sandbox();
        // A call raises the priority when it takes the sandbox, so one that can't be raised must not be low.
        boolean low = preparation.inAdvance() && sandbox.canRaisePriority();
        Runnable release = environments.store().use(environment);
        if (!beginStart()) {
            release.run();
            throw new IOException("the server is shutting down");
        }
        try {
            Job job = new Job(
                    List.of(environment.interpreter(sandbox).toString(), "script.py"),
                    volumes(sandbox, environment),
                    variables(sandbox, environment),
                    config.limits().perScript(),
                    config.network().mode(),
                    egress(sandbox),
                    low ? Priority.LOW : Priority.NORMAL);
            Supervisor started = Supervisor.start(sandbox, job, preparation);
            started.afterClose(() -> {
                release.run();
                forget(started);
            });
            return opened(started);
        } catch (IOException | RuntimeException | OutOfMemoryError e) {
            release.run();
            throw e;
        } finally {
            endStart();
        }
    }

    private synchronized boolean beginStart() {
        starting += closed ? 0 : 1;
        return !closed;
    }

    private synchronized void endStart() {
        starting--;
        notifyAll();
    }

    private synchronized void forget(Supervisor closed) {
        open.remove(closed);
    }

    private Supervisor opened(Supervisor started) {
        boolean late;
        synchronized (this) {
            open.add(started);
            late = closed;
        }
        if (late) {
            started.close();
        }
        return started;
    }

    private List<Volume> volumes(Sandbox sandbox, PythonEnvironment environment) throws IOException {
        List<Volume> volumes = new ArrayList<>(environment.volumes());
        volumes.add(supervisor.volume());
        volumes.addAll(data.volumes());
        certificates(sandbox).ifPresent(volumes::add);
        return volumes;
    }

    private Map<String, String> variables(Sandbox sandbox, PythonEnvironment environment) {
        Map<String, String> variables = new LinkedHashMap<>(environment.variables(sandbox));
        certificates(sandbox).ifPresent(bundle -> {
            variables.put("SSL_CERT_FILE", bundle.target().toString());
            variables.put("REQUESTS_CA_BUNDLE", bundle.target().toString());
        });
        if (usesProxy(sandbox)) {
            variables.putAll(ProxyVariables.FOR_SCRIPT);
        }
        variables.putAll(config.shared().environment());
        Map.Entry<String, String> own = supervisor.variable(sandbox);
        variables.put(own.getKey(), own.getValue());
        return variables;
    }

    /**
     * Returns the host's CA bundle, if scripts have a network. TLS through a company's proxy needs its certificate, and
     * certificates are not secret.
     */
    private Optional<Volume> certificates(Sandbox sandbox) {
        return config.network().mode() == Network.NONE
                        || !sandbox.capabilities().isolates()
                ? Optional.empty()
                : index.caBundle().map(bundle -> Volume.Content.ofFile(bundle, "/ca.pem"));
    }

    /** Returns the limits of the chosen backend; {@link PoolLimits#LOCAL} until one is chosen. */
    PoolLimits poolLimits() {
        return environments.chosen().map(Sandbox::poolLimits).orElse(PoolLimits.LOCAL);
    }

    /** Returns whether sandboxes that are started in advance have a lower priority than calls. */
    boolean startsAtLowPriority() {
        return environments.chosen().map(Sandbox::canRaisePriority).orElse(false);
    }

    /** Returns whether scripts can reach no public host because this machine does not resolve public names. */
    boolean lacksPublicNames() {
        try {
            return egress(environments.sandbox())
                    .refusesAsUnresolved(URI.create(IndexSettings.DEFAULT_INDEX).getHost());
        } catch (InvalidProxyException e) {
            return false; // each execution reports this
        }
    }

    private boolean usesProxy(Sandbox sandbox) {
        return sandbox.capabilities().isolates() && config.network().mode() == Network.INTERNET;
    }

    private EgressPolicy egress(Sandbox sandbox) throws InvalidProxyException {
        if (!usesProxy(sandbox)) {
            return EgressPolicy.only(List.of());
        }
        EgressPolicy policy = config.network().allowHosts().isEmpty()
                ? EgressPolicy.publicInternet()
                : EgressPolicy.only(config.network().allowHosts());
        return policy.withUpstreamFrom(host.environment());
    }

    /** Closes all sandboxes that are open or starting. No more can be started. */
    @Override
    public void close() {
        List<Supervisor> left;
        synchronized (this) {
            closed = true;
            left = List.copyOf(open);
        }
        left.parallelStream().forEach(Supervisor::close);
        awaitStarts();
    }

    /** Waits for sandboxes that are starting. The threads that start them close them. */
    private synchronized void awaitStarts() {
        long end = System.nanoTime() + TIME_TO_START.toNanos();
        try {
            for (long wait = TIME_TO_START.toNanos(); starting > 0 && wait > 0; wait = end - System.nanoTime()) {
                TimeUnit.NANOSECONDS.timedWait(this, wait);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
