package dev.pysandbox.sandbox.docker;

import dev.pysandbox.api.Backend;
import dev.pysandbox.api.Network;
import dev.pysandbox.sandbox.Capabilities;
import dev.pysandbox.sandbox.ImagePython;
import dev.pysandbox.sandbox.Job;
import dev.pysandbox.sandbox.JobProxy;
import dev.pysandbox.sandbox.MemoryCount;
import dev.pysandbox.sandbox.RefusedException;
import dev.pysandbox.sandbox.Sandbox;
import dev.pysandbox.sandbox.SandboxedProcess;
import dev.pysandbox.sandbox.local.HostSystem;
import dev.pysandbox.sandbox.local.LocalProcess;
import dev.pysandbox.sandbox.local.Mount;
import dev.pysandbox.sandbox.local.PrivateFolders;
import dev.pysandbox.sandbox.local.ProcessTree;
import dev.pysandbox.sandbox.local.RuntimeFolder;
import dev.pysandbox.sandbox.local.UnprivilegedUser;
import dev.pysandbox.support.HostCommand;
import dev.pysandbox.support.Spawner;
import dev.pysandbox.support.Threads;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Isolates each job in a container of docker or podman. */
final class DockerSandbox implements Sandbox {
    private static final Logger log = LoggerFactory.getLogger(DockerSandbox.class);
    private static final Capabilities CAPABILITIES =
            new Capabilities(true, true, true, true, HostSystem.countsReservedMemory());

    /** How long to wait for the supervisor, which exits when its input ends. */
    private static final int MILLIS_TO_LEAVE = 1500;

    private static final int ATTEMPTS_TO_KILL = 20;

    /** The exit code of a client that could not start a container. */
    private static final int NOT_STARTED = 125;

    private final Spawner spawner;
    private final RuntimeFolder runtime;
    private final DockerEngine engine;
    private final DockerCommand command;
    private final DockerProbe probe;
    private final String description;
    private volatile Optional<ImagePython> python = Optional.empty();
    private volatile Optional<DockerRelay> relay = Optional.empty();

    /** @param probe runs the first container: call {@link #check} before use */
    DockerSandbox(
            Spawner spawner, RuntimeFolder runtime, DockerCommand command, DockerProbe probe, String description) {
        this.spawner = spawner;
        this.runtime = runtime;
        this.engine = command.engine();
        this.command = command;
        this.probe = probe;
        this.description = description;
    }

    @Override
    public String name() {
        return Backend.DOCKER.label();
    }

    @Override
    public String description() {
        return description;
    }

    @Override
    public String unexpectedEnd() {
        return "the container ended unexpectedly; the docker engine may have restarted";
    }

    @Override
    public Capabilities capabilities() {
        return CAPABILITIES;
    }

    @Override
    public Optional<ImagePython> ownPython() {
        return python;
    }

    /** Runs a container, which also reports the image's Python. */
    void check() throws IOException, InterruptedException, RefusedException {
        DockerProbe.Findings found = probe.run(this, runtime.fresh("mark"), command.image());
        python = Optional.of(found.python());
        if (!found.seesSockets()) {
            useRelay(DockerRelay.Route.FROM_A_MACHINE);
        }
    }

    /** Makes jobs that are started from now on reach their proxies through a relay. */
    void useRelay(DockerRelay.Route route) {
        Path executable = python.orElseThrow().executable();
        String name = runtime.path().getFileName() + "-relay";
        relay = Optional.of(new DockerRelay(command, spawner, route, executable, name));
    }

    @Override
    public void allowWriting(Path folder) throws IOException {
        if (HostSystem.runsAsRoot()) {
            UnprivilegedUser.chown(folder);
        }
    }

    @Override
    public SandboxedProcess start(Job job) throws IOException {
        byte[] variables = DockerVariables.encode(job.environment(PrivateFolders.HOME, PrivateFolders.TEMPORARY));
        String name =
                runtime.path().getFileName() + "-" + runtime.fresh("container").getFileName();
        Optional<JobProxy> proxy = relay.isPresent() && job.network() == Network.INTERNET
                ? Optional.of(JobProxy.through(relay.get(), job.egress()))
                : JobProxy.shared(job, runtime.fresh("proxy"));
        try {
            Process client = engine.start(spawner, command.build(job, name, proxy.flatMap(this::mountOf)));
            DockerVariables.send(variables, client.getOutputStream());
            return new LocalProcess(
                    client,
                    new ClientOutput(client.getInputStream()),
                    () -> end(client, name),
                    List.of(),
                    proxy,
                    MemoryCount.UNREADABLE,
                    cached(() -> tree(name)),
                    () -> {});
        } catch (IOException | RuntimeException | OutOfMemoryError e) {
            proxy.ifPresent(JobProxy::close);
            throw e;
        }
    }

    /** Reads and drops output in the background. */
    private static void drain(InputStream stream) {
        try {
            Threads.startDaemon("output-drainer", () -> {
                try {
                    stream.transferTo(OutputStream.nullOutputStream());
                } catch (IOException e) {
                    // The client has exited.
                }
            });
        } catch (OutOfMemoryError e) {
            log.warn("can't start a thread to read the output of a container: {}", e.toString());
        }
    }

    private static <T> Supplier<Optional<T>> cached(Supplier<Optional<T>> source) {
        AtomicReference<Optional<T>> found = new AtomicReference<>(Optional.empty());
        return () -> found.updateAndGet(before -> before.isPresent() ? before : source.get());
    }

    /** Returns the processes of a container; empty if the engine runs in a virtual machine. */
    private Optional<ProcessTree> tree(String name) {
        try {
            HostCommand.Outcome outcome = engine.run(List.of("inspect", "--format", "{{.Id}} {{.State.Pid}}", name));
            String[] found = outcome.stdout().strip().split(" ", 2);
            boolean here = outcome.succeeded()
                    && found.length == 2
                    && Files.readString(Path.of("/proc", found[1], "cgroup")).contains(found[0]);
            return here ? Optional.of(new ProcessTree(Long.parseLong(found[1]))) : Optional.empty();
        } catch (IOException e) {
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }

    private Optional<String> mountOf(JobProxy proxy) {
        return Mount.of(proxy).map(DockerCommand::bind).or(() -> relay.map(DockerRelay::mountOption));
    }

    @Override
    public void close() {
        relay.ifPresent(DockerRelay::close);
    }

    /** The output of a client. Closing it does nothing: the client would exit and its container would keep running. */
    private static final class ClientOutput extends FilterInputStream {
        ClientOutput(InputStream in) {
            super(in);
        }

        @Override
        public void close() {}
    }

    /**
     * Ends the container; killing the client would leave it running. The container ends when its input is closed, and
     * the client with it. A container that does not end is removed by name.
     */
    private void end(Process client, String name) throws IOException {
        LocalProcess.closeInput(client);
        try {
            if (client.waitFor(MILLIS_TO_LEAVE, TimeUnit.MILLISECONDS) && client.exitValue() != NOT_STARTED) {
                return;
            }
            // The engine does not remove a container while its client blocks on unread output.
            drain(client.getInputStream());
            drain(client.getErrorStream());
            // Several attempts: the client may not have created the container yet.
            for (int attempt = 0; attempt < ATTEMPTS_TO_KILL; attempt++) {
                HostCommand.Outcome removed = engine.run(List.of("rm", "--force", "--volumes", name));
                if (removed.stdout().contains(name) || client.waitFor(100, TimeUnit.MILLISECONDS)) {
                    return;
                }
            }
            throw new IOException("can't remove the container " + name);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }
}
