package dev.pysandbox.sandbox;

import dev.pysandbox.egress.EgressPolicy;
import dev.pysandbox.process.Command;
import dev.pysandbox.process.Spawner;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** The wall where there is no bubblewrap: a container of docker's or podman's for each job. */
public final class DockerSandbox implements Sandbox {
    private static final String MARK = "/run/mark";
    private static final String SEARCH_PATH = "/usr/local/bin:/usr/bin:/bin";

    private static final String WHEELS = "/usr/local/lib/python-sandbox/wheels";

    /** Shows the mark, by which the engine is known to see the host's files, then what the image has. */
    private static final String PROBE =
            "cat " + MARK + " && exec python%s -I -c \"$1\" " + WHEELS + " " + DockerOutlet.SHARED_SOCKET;

    /** A supervisor leaves by itself when its input ends. */
    private static final int MILLIS_TO_LEAVE = 1500;

    private static final int ATTEMPTS_TO_KILL = 20;

    private final Spawner spawner;
    private final RuntimeFolder runtime;
    private final DockerEngine engine;
    private final DockerSettings settings;
    private final DockerDiagnosis diagnosis;
    private final DockerUser user;
    private final DockerOrphans orphans;
    private final Path etc;
    private final Path seccomp;
    private final String imageName;
    private final String imageId;
    private final String version;
    private final boolean mayShareSockets;
    private volatile Optional<InnerPython> python = Optional.empty();
    private volatile Optional<DockerRelay> relay = Optional.empty();

    private DockerSandbox(Parts parts, DockerUser user, String imageId, String version) throws IOException {
        this.spawner = parts.spawner();
        this.runtime = parts.runtime();
        this.engine = parts.engine();
        this.settings = parts.settings();
        this.diagnosis = parts.diagnosis();
        this.orphans = new DockerOrphans(engine, runtime);
        this.user = user;
        this.mayShareSockets = parts.mayShareSockets();
        this.etc = SyntheticEtc.write(runtime.path().resolve("docker-etc"), user);
        this.seccomp = Files.writeString(runtime.path().resolve("docker-seccomp.json"), SeccompFilter.dockerProfile());
        this.imageName = parts.image().name();
        this.imageId = imageId;
        this.version = version;
    }

    /** What a sandbox is made of. */
    private record Parts(
            Spawner spawner,
            RuntimeFolder runtime,
            DockerEngine engine,
            DockerSettings settings,
            DockerImage image,
            DockerDiagnosis diagnosis,
            boolean mayShareSockets) {}

    /** Gets an image, which may take minutes, and removes what dead servers left; {@link #check} tries a container. */
    static DockerSandbox open(
            Spawner spawner,
            RuntimeFolder runtime,
            Map<String, String> environment,
            String system,
            DockerSettings settings,
            Consumer<String> progress)
            throws IOException, InterruptedException, RefusedException {
        DockerEngine engine =
                DockerEngine.find(environment).orElseThrow(() -> new RefusedException(DockerDiagnosis.missing(system)));
        DockerImage image = new DockerImage(engine, settings);
        DockerDiagnosis diagnosis = new DockerDiagnosis(system, image.name());
        Command.Outcome version = engine.run(List.of("version", "--format", "{{.Server.Version}}"));
        if (!version.succeeded()) {
            String said = version.timedOut() ? "the docker engine did not answer" : version.stderr();
            throw new RefusedException(diagnosis.of(said));
        }
        String id = image.obtain(runtime.fresh("image"), diagnosis, progress);
        DockerSandbox sandbox = new DockerSandbox(
                new Parts(spawner, runtime, engine, settings, image, diagnosis, system.equals("Linux")),
                DockerUser.current(),
                id,
                version.stdout().strip());
        sandbox.orphans.sweep();
        return sandbox;
    }

    @Override
    public String name() {
        return "docker";
    }

    @Override
    public String description() {
        return (engine.isPodman() ? "podman " : "docker ") + version + ", image " + imageName
                + settings.runtime().map(runtime -> ", runtime " + runtime).orElse("");
    }

    @Override
    public boolean isolates() {
        return true;
    }

    @Override
    public boolean isContainer() {
        return true;
    }

    @Override
    public Optional<InnerPython> ownPython() {
        return python;
    }

    /** Looks for the Python at the same time. */
    @Override
    public Optional<Refusal> check() {
        String mark = UUID.randomUUID().toString();
        Path file = runtime.fresh("mark");
        try {
            Files.writeString(file, mark + "\n");
            Job job = new Job(
                    List.of("/bin/sh", "-c", PROBE.formatted(settings.pythonSeries()), "sh", resource()),
                    List.of(Mount.readOnly(file, MARK)),
                    Map.of("PATH", SEARCH_PATH),
                    Limits.DEFAULT,
                    mayShareSockets ? Network.INTERNET : Network.NONE,
                    EgressPolicy.only(List.of()));
            try (SandboxedProcess process = start(job)) {
                List<String> said = new String(process.stdout().readNBytes(4000), StandardCharsets.UTF_8)
                        .lines()
                        .toList();
                String complaint = new String(process.stderr().readNBytes(4000), StandardCharsets.UTF_8);
                process.waitFor();
                return judge(mark, said, complaint);
            }
        } catch (IOException e) {
            return Optional.of(diagnosis.of(String.valueOf(e.getMessage())));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.of(diagnosis.of("the check was interrupted"));
        }
    }

    private Optional<Refusal> judge(String mark, List<String> said, String complaint) {
        boolean unseen = (said.isEmpty() && complaint.contains(MARK)) || complaint.contains("bind source path");
        if (unseen || (!said.isEmpty() && !said.get(0).equals(mark))) {
            return Optional.of(diagnosis.filesNotShared());
        }
        if (said.isEmpty()) {
            return Optional.of(diagnosis.of(complaint));
        }
        if (said.size() < 8 || !(said.get(1) + ".").startsWith(settings.pythonVersion() + ".")) {
            return Optional.of(diagnosis.wrongPython(settings.pythonVersion(), said.size() > 1 ? said.get(1) : ""));
        }
        if (said.get(4).isEmpty()) {
            return Optional.of(new Refusal(
                    name(), "the image " + imageName + " has no uv", "name another image with --docker-image"));
        }
        Optional<Path> wheels =
                Optional.of(said.get(6)).filter(path -> !path.isEmpty()).map(Path::of);
        python = Optional.of(new InnerPython(
                said.get(1),
                Path.of(said.get(2)),
                Path.of(said.get(3)),
                Path.of(said.get(4)),
                said.get(5),
                wheels,
                imageId));
        if (!said.get(7).equals("0")) {
            useRelay(DockerRelay.Route.FROM_A_MACHINE);
        }
        return Optional.empty();
    }

    /** From here on proxies are reached by way of a relay. */
    void useRelay(DockerRelay.Route route) {
        DockerRelay.Image image =
                new DockerRelay.Image(imageId, python.orElseThrow().executable(), seccomp, orphans.labels());
        relay = Optional.of(
                new DockerRelay(engine, spawner, route, image, runtime.path().getFileName() + "-relay"));
    }

    private static String resource() throws IOException {
        try (InputStream resource = DockerSandbox.class.getResourceAsStream("container_probe.py")) {
            if (resource == null) {
                throw new IOException("the resource container_probe.py is missing");
            }
            return new String(resource.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Override
    public void allowWriting(Path folder) throws IOException {
        if (HostSystem.runsAsRoot()) {
            RootLauncher.giveAway(folder);
        }
    }

    @Override
    public SandboxedProcess start(Job job) throws IOException {
        Path unique = runtime.fresh("container");
        String name = runtime.path().getFileName() + "-" + unique.getFileName();
        Optional<DockerOutlet> outlet = outlet(job);
        try {
            ProcessBuilder builder = new ProcessBuilder(command(outlet).build(job, name));
            builder.directory(engine.program().getRoot().toFile());
            builder.environment().clear();
            builder.environment().putAll(engine.environment());
            Process client = spawner.start(builder);
            List<SandboxedProcess.Ending> cleanup = new ArrayList<>();
            outlet.ifPresent(open -> cleanup.add(open::close));
            return new SandboxedProcess(
                    client,
                    () -> end(client, name),
                    cleanup,
                    outlet.map(DockerOutlet::exit).orElse(SandboxedProcess.Exit.NONE));
        } catch (IOException e) {
            outlet.ifPresent(DockerOutlet::close);
            throw e;
        }
    }

    private Optional<DockerOutlet> outlet(Job job) throws IOException {
        if (job.network() != Network.INTERNET) {
            return Optional.empty();
        }
        return Optional.of(
                relay.isPresent()
                        ? DockerOutlet.through(relay.get(), job.egress())
                        : DockerOutlet.shared(runtime.fresh("proxy"), job.egress()));
    }

    private DockerCommand command(Optional<DockerOutlet> outlet) {
        return new DockerCommand(
                engine,
                imageId,
                settings.runtime(),
                user,
                etc,
                orphans.labels(),
                seccomp,
                outlet.map(DockerOutlet::mount));
    }

    @Override
    public void close() {
        relay.ifPresent(DockerRelay::close);
    }

    /** Killing the client would leave the container: it is asked to leave, then removed by its name. */
    private void end(Process client, String name) throws IOException {
        try {
            client.getOutputStream().close();
        } catch (IOException e) {
            // It has left already.
        }
        try {
            if (client.waitFor(MILLIS_TO_LEAVE, TimeUnit.MILLISECONDS) && client.exitValue() != 125) {
                return;
            }
            // While the client is about to make it, there is no container yet.
            for (int attempt = 0; attempt < ATTEMPTS_TO_KILL; attempt++) {
                Command.Outcome removed = engine.run(List.of("rm", "--force", "--volumes", name));
                if (removed.stdout().contains(name) || client.waitFor(100, TimeUnit.MILLISECONDS)) {
                    return;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
