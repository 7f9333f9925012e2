package dev.pysandbox.sandbox;

import dev.pysandbox.egress.EgressPolicy;
import dev.pysandbox.egress.EgressProxy;
import dev.pysandbox.process.Command;
import dev.pysandbox.process.Spawner;
import java.io.IOException;
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

    /** Lines: the mark, then of the interpreter its version, path and home, the path of uv, how many wheels there are. */
    private static final String PROBE = "cat " + MARK + " && exec python%s -I -c '"
            + "import os, shutil, sys; print(\"%%d.%%d.%%d\" %% sys.version_info[:3]);"
            + " print(os.path.realpath(sys.executable)); print(sys.base_prefix); print(shutil.which(\"uv\") or \"\");"
            + " print(len(os.listdir(\"" + WHEELS + "\")) if os.path.isdir(\"" + WHEELS + "\") else 0)'";

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
    private volatile Optional<InnerPython> python = Optional.empty();

    private DockerSandbox(Parts parts, DockerUser user, String imageId, String version) throws IOException {
        this.spawner = parts.spawner();
        this.runtime = parts.runtime();
        this.engine = parts.engine();
        this.settings = parts.settings();
        this.diagnosis = parts.diagnosis();
        this.orphans = new DockerOrphans(engine, runtime);
        this.user = user;
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
            DockerDiagnosis diagnosis) {}

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
                new Parts(spawner, runtime, engine, settings, image, diagnosis),
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
                    List.of("/bin/sh", "-c", PROBE.formatted(settings.pythonSeries())),
                    List.of(Mount.readOnly(file, MARK)),
                    Map.of("PATH", SEARCH_PATH),
                    Limits.DEFAULT,
                    Network.NONE,
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
        if (said.size() < 6 || !(said.get(1) + ".").startsWith(settings.pythonVersion() + ".")) {
            return Optional.of(diagnosis.wrongPython(settings.pythonVersion(), said.size() > 1 ? said.get(1) : ""));
        }
        if (said.get(4).isEmpty()) {
            return Optional.of(new Refusal(
                    name(), "the image " + imageName + " has no uv", "name another image with --docker-image"));
        }
        Optional<Path> wheels = said.get(5).equals("0") ? Optional.empty() : Optional.of(Path.of(WHEELS));
        python = Optional.of(new InnerPython(
                said.get(1), Path.of(said.get(2)), Path.of(said.get(3)), Path.of(said.get(4)), wheels, imageId));
        return Optional.empty();
    }

    @Override
    public Optional<Path> proxySocket(Job job) {
        return job.network() == Network.INTERNET ? Optional.of(Path.of(DockerCommand.PROXY_SOCKET)) : Optional.empty();
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
        Optional<Path> socket =
                job.network() == Network.INTERNET ? Optional.of(runtime.fresh("proxy")) : Optional.empty();
        Optional<EgressProxy> proxy =
                socket.isPresent() ? Optional.of(EgressProxy.listen(socket.get(), job.egress())) : Optional.empty();
        try {
            ProcessBuilder builder = new ProcessBuilder(command(socket).build(job, name));
            builder.directory(engine.program().getRoot().toFile());
            builder.environment().clear();
            builder.environment().putAll(engine.environment());
            Process client = spawner.start(builder);
            List<SandboxedProcess.Ending> cleanup = new ArrayList<>();
            proxy.ifPresent(open -> cleanup.add(open::close));
            return new SandboxedProcess(
                    client,
                    () -> end(client, name),
                    cleanup,
                    () -> proxy.map(EgressProxy::refused).orElse(List.of()));
        } catch (IOException e) {
            proxy.ifPresent(EgressProxy::close);
            throw e;
        }
    }

    private DockerCommand command(Optional<Path> socket) {
        return new DockerCommand(
                engine.program(), imageId, settings.runtime(), user, etc, orphans.labels(), seccomp, socket);
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
