package dev.pysandbox.env;

import dev.pysandbox.egress.EgressPolicy;
import dev.pysandbox.process.ByteSize;
import dev.pysandbox.process.Folders;
import dev.pysandbox.sandbox.Job;
import dev.pysandbox.sandbox.Limits;
import dev.pysandbox.sandbox.Mount;
import dev.pysandbox.sandbox.Network;
import dev.pysandbox.sandbox.Sandbox;
import dev.pysandbox.supervisor.Ending;
import dev.pysandbox.supervisor.Report;
import dev.pysandbox.supervisor.Supervisor;
import dev.pysandbox.supervisor.SupervisorException;
import dev.pysandbox.supervisor.SupervisorProgram;
import dev.pysandbox.supervisor.Task;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Installs requirements with uv, inside the sandbox: the index in reach, nothing of the host in sight.
 *
 * <p>Wheels first, which run no code of theirs. Only where a package has none is it built, and then with a cache of
 * its own that is thrown away, so that no build can write what other environments are made from.
 */
public final class Installer {
    private static final Duration TIME_LIMIT = Duration.ofMinutes(5);
    private static final Limits LIMITS =
            new Limits(ByteSize.parse("4g"), 512, OptionalDouble.empty(), 4096, ByteSize.parse("2g"));
    private static final String INSIDE = "/install";
    private static final int MOST_SAID = 1 << 16;

    private final Host host;
    private final Path folder;
    private final Sandbox sandbox;
    private final SupervisorProgram supervisor;
    private final IndexSettings index;
    private final UvSource uv;

    public Installer(Host host, Sandbox sandbox, SupervisorProgram supervisor, IndexSettings index, UvSource uv) {
        this.host = host;
        this.folder = host.cacheDir().resolve("install");
        this.sandbox = sandbox;
        this.supervisor = supervisor;
        this.index = index;
        this.uv = uv;
    }

    /** A folder in which an environment is made; what is still in it at the end goes. */
    record Stage(Path root, String name) implements AutoCloseable {
        Path environment() {
            return root.resolve(name);
        }

        @Override
        public void close() throws IOException {
            Folders.delete(environment());
        }
    }

    Stage stage(String name) throws IOException {
        Folders.createPrivate(folder);
        sandbox.allowWriting(folder);
        Stage stage = new Stage(folder, name);
        Files.createDirectory(stage.environment());
        return stage;
    }

    /** What environments depend on beside their requirements. */
    String identity() {
        return index.toString();
    }

    void install(PythonLayout python, List<String> requirements, Stage stage, Consumer<String> progress)
            throws InstallException, InterruptedException, IOException {
        try {
            UvInside program = uvFor(python, progress);
            progress.accept("installing " + String.join(", ", requirements));
            UvAnswer wheels = run(program, "cache", arguments(stage, requirements, List.of("--no-build")), python);
            if (wheels.needsBuild()) {
                progress.accept("building packages that have no wheel");
                wheels = build(program, stage, requirements, python);
            }
            if (!wheels.succeeded()) {
                throw new InstallException(wheels.explanation());
            }
        } catch (MissingToolException e) {
            throw new InstallException(String.valueOf(e.getMessage()), e);
        } catch (SupervisorException e) {
            throw new InstallException("The installer could not run in its sandbox: " + e.getMessage(), e);
        }
    }

    /** The uv of a job, and what must be mounted for it. */
    private record UvInside(Path path, List<Mount> mounts) {}

    /** A sandbox with a Python of its own has a uv of its own beside it. */
    private UvInside uvFor(PythonLayout python, Consumer<String> progress)
            throws MissingToolException, InterruptedException {
        if (python.inner().isPresent()) {
            return new UvInside(python.inner().get().uv(), List.of());
        }
        Mount mount = Mount.readOnly(uv.get(progress).executable(), "/uv");
        return new UvInside(sandbox.pathOf(mount), List.of(mount));
    }

    private UvAnswer build(UvInside program, Stage stage, List<String> requirements, PythonLayout python)
            throws IOException, SupervisorException, InterruptedException {
        String cache = "cache-of-" + stage.name();
        try {
            return run(program, cache, arguments(stage, requirements, List.of()), python);
        } finally {
            Folders.delete(folder.resolve(cache));
        }
    }

    private List<String> arguments(Stage stage, List<String> requirements, List<String> options) {
        List<String> arguments = new ArrayList<>(List.of("pip", "install", "--no-sources", "--no-progress"));
        arguments.addAll(options);
        arguments.addAll(List.of(
                "--python", inside().resolve(stage.name()).resolve("bin/python").toString(), "--"));
        arguments.addAll(requirements);
        return arguments;
    }

    private UvAnswer run(UvInside program, String cache, List<String> arguments, PythonLayout python)
            throws IOException, SupervisorException, InterruptedException {
        List<Mount> mounts = new ArrayList<>(python.mounts());
        mounts.addAll(List.of(mount(), supervisor.mount()));
        mounts.addAll(program.mounts());
        Map<String, String> variables = new TreeMap<>(index.uvEnvironment());
        index.caBundle().map(bundle -> Mount.readOnly(bundle, "/ca.pem")).ifPresent(bundle -> {
            mounts.add(bundle);
            variables.put("SSL_CERT_FILE", sandbox.pathOf(bundle).toString());
        });
        showLocalFindLinks(mounts, variables);
        variables.putAll(python.variables(sandbox));
        variables.put("PATH", "/usr/bin:/bin");
        variables.put("UV_CACHE_DIR", inside().resolve(cache).toString());
        variables.put("UV_NO_CONFIG", "1");
        variables.put("UV_PYTHON_DOWNLOADS", "never");
        List<String> interpreter =
                new ArrayList<>(List.of(python.executable(sandbox).toString()));
        interpreter.addAll(supervisor.arguments(sandbox));
        Job job = new Job(interpreter, mounts, variables, LIMITS, Network.INTERNET, egress());
        List<String> command = new ArrayList<>(List.of(program.path().toString()));
        command.addAll(arguments);
        return ask(job, command);
    }

    /** Folders of the host with packages in them are seen inside, each at a place of its own. */
    private void showLocalFindLinks(List<Mount> mounts, Map<String, String> variables) {
        List<String> links = new ArrayList<>(index.remoteFindLinks());
        for (Path link : index.localFindLinks()) {
            Mount mount = Mount.readOnly(link, "/find-links/" + links.size());
            mounts.add(mount);
            links.add(sandbox.pathOf(mount).toString());
        }
        variables.remove("UV_FIND_LINKS");
        if (!links.isEmpty()) {
            variables.put("UV_FIND_LINKS", String.join(",", links));
        }
    }

    private UvAnswer ask(Job job, List<String> command) throws IOException, SupervisorException, InterruptedException {
        Task task = new Task(command, Optional.empty(), List.of(), List.of(), proxyVariables(job), LIMITS, false);
        StringBuilder said = new StringBuilder();
        Report report = (stream, bytes) -> {
            if (said.length() < MOST_SAID) {
                said.append(new String(bytes, StandardCharsets.UTF_8));
            }
        };
        try (Supervisor process = Supervisor.start(sandbox, job)) {
            Ending ending = process.run(task, report, TIME_LIMIT);
            return new UvAnswer(ending, said.toString(), process.refusedConnections());
        }
    }

    /** The index, and where its files lie; named by the host's own settings, so they may be at private addresses. */
    private EgressPolicy egress() throws InterruptedException {
        List<String> hosts = List.copyOf(new IndexHosts(index, host).find());
        return EgressPolicy.only(hosts).trusting(hosts).asHostDoes(host.environment());
    }

    /** Behind a wall the index is reached through our proxy; without one, as the host reaches it. */
    private Map<String, String> proxyVariables(Job job) {
        return sandbox.proxySocket(job).isPresent()
                ? ProxyVariables.INSIDE
                : index.proxies().environment();
    }

    private Path inside() {
        return sandbox.pathOf(mount());
    }

    private Mount mount() {
        return Mount.writable(folder, INSIDE);
    }
}
