package dev.pysandbox.environment.install;

import dev.pysandbox.api.Limits;
import dev.pysandbox.api.Network;
import dev.pysandbox.egress.EgressPolicy;
import dev.pysandbox.egress.InvalidProxyException;
import dev.pysandbox.index.IndexGateways;
import dev.pysandbox.index.IndexHosts;
import dev.pysandbox.index.IndexSettings;
import dev.pysandbox.index.IndexUrl;
import dev.pysandbox.index.ProxyVariables;
import dev.pysandbox.sandbox.ImagePython;
import dev.pysandbox.sandbox.Job;
import dev.pysandbox.sandbox.Sandbox;
import dev.pysandbox.sandbox.Volume;
import dev.pysandbox.supervisor.Supervisor;
import dev.pysandbox.supervisor.SupervisorException;
import dev.pysandbox.supervisor.SupervisorProgram;
import dev.pysandbox.supervisor.Task;
import dev.pysandbox.supervisor.TaskListener;
import dev.pysandbox.supervisor.TaskResult;
import dev.pysandbox.support.ByteSize;
import dev.pysandbox.support.Host;
import dev.pysandbox.toolchain.MissingToolException;
import dev.pysandbox.toolchain.PythonLayout;
import dev.pysandbox.toolchain.UvSource;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Installs requirements with uv inside the sandbox, where it can reach the package index but no files of the host.
 *
 * <p>It first tries to install wheels only, which runs no code of packages. If a package has no wheel, it installs
 * again with builds allowed, and with a separate cache that is deleted afterwards: a build can't change the cache from
 * which other environments are created.
 */
public final class Installer {
    static final Duration TIME_LIMIT = Duration.ofMinutes(5);
    private static final Limits LIMITS =
            new Limits(ByteSize.parse("4g"), 512, OptionalDouble.empty(), 4096, ByteSize.parse("2g"));
    private static final Path INSIDE = Path.of("/install");

    /** Creates a link to an environment, then executes the command. */
    private static final String LINK = "ln -s \"$1\" \"$2\" && shift 2 && exec \"$@\"";

    private static final List<String> WITHOUT_BUILD = List.of("--dry-run", "--no-build");
    private static final int OLDEST_MINOR = 7;
    private static final int MOST_OUTPUT = 1 << 16;

    private final Host host;
    private final Sandbox sandbox;
    private final SupervisorProgram supervisor;
    private final IndexSettings index;
    private final UvSource uv;
    private final Optional<Duration> packageAge;
    private final ByteSize mostWritten;
    private final Stages stages;

    /**
     * @param packageAge how long a package must have been on the index, because malicious packages are often removed
     *     within days
     * @param mostWritten the most bytes that one installation may write to the disk
     */
    public Installer(
            Host host,
            Sandbox sandbox,
            SupervisorProgram supervisor,
            IndexSettings index,
            UvSource uv,
            Optional<Duration> packageAge,
            ByteSize mostWritten) {
        this.host = host;
        this.sandbox = sandbox;
        this.supervisor = supervisor;
        this.index = index;
        this.uv = uv;
        this.packageAge = packageAge;
        this.mostWritten = mostWritten;
        this.stages = new Stages(host.cacheDir(), sandbox);
    }

    /** Returns the folders in which environments are created. */
    public Stages stages() {
        return stages;
    }

    /** Returns all settings that influence what is installed, without credentials. */
    public String identity() {
        String indexes = Stream.concat(Stream.of(index.index()), index.extraIndexes().stream())
                .map(each -> IndexUrl.redacted(each).toString())
                .collect(Collectors.joining(" "));
        String links =
                index.findLinks().stream().map(Installer::withoutCredentials).collect(Collectors.joining(","));
        String strategy = index.uvEnvironment().getOrDefault("UV_INDEX_STRATEGY", "");
        return String.join(
                "\n",
                indexes,
                links,
                strategy,
                packageAge.map(Duration::toString).orElse(""));
    }

    private static String withoutCredentials(String link) {
        return IndexUrl.hasScheme(link)
                ? IndexUrl.parse("UV_FIND_LINKS", link).redacted().toString()
                : link;
    }

    /**
     * Installs into the environment of a stage.
     *
     * @return false if a package must be built and the stage does not permit it
     */
    public boolean install(
            PythonLayout python, List<String> requirements, Stage stage, boolean lowPriority, Consumer<String> progress)
            throws InstallException, InterruptedException, IOException {
        try {
            UvInside program = uvFor(python, progress);
            progress.accept((stage.mayBuild() ? "building " : "resolving ") + String.join(", ", requirements));
            UvAnswer answer = runUv(program, stage, requirements, List.of(), python, lowPriority, progress);
            if (answer.needsBuild() && !stage.mayBuild()) {
                return false;
            }
            if (!answer.succeeded()) {
                // The output of a build may look like uv's, so uv is asked again without one.
                UvAnswer withoutBuild = stage.mayBuild()
                        ? runUv(program, stage, requirements, WITHOUT_BUILD, python, lowPriority, nothing -> {})
                        : answer;
                throw new InstallException(answer.explanation(), findNearest(withoutBuild, program, stage, python));
            }
            return true;
        } catch (MissingToolException | InvalidProxyException e) {
            throw new InstallException(String.valueOf(e.getMessage()), e);
        } catch (SupervisorException e) {
            throw new InstallException("The installer failed in its sandbox: " + e.getMessage(), e);
        }
    }

    /** The path of uv inside the sandbox, and the volumes that it needs. */
    private record UvInside(Path path, List<Volume> volumes) {}

    /** Returns the uv of the image, if Python comes from an image; else the host's. */
    private UvInside uvFor(PythonLayout python, Consumer<String> progress)
            throws MissingToolException, InterruptedException {
        if (python.inner().isPresent()) {
            return new UvInside(python.inner().get().uv(), List.of());
        }
        Volume volume = Volume.Content.ofFile(uv.get(progress).executable(), "/uv");
        return new UvInside(sandbox.pathOf(volume), List.of(volume));
    }

    /**
     * Returns the existing versions before and after a missing one, the most similar first, or the next version with a
     * wheel; empty if no version is missing.
     */
    private Optional<NearestVersions> findNearest(UvAnswer failed, UvInside program, Stage stage, PythonLayout python)
            throws IOException, InstallException, SupervisorException, InterruptedException {
        Optional<UvAnswer.MissingVersion> missing = failed.missingVersion();
        if (missing.isEmpty()) {
            return Optional.empty();
        }
        String name = missing.get().project();
        boolean exists = missing.get().exists();
        List<String> found = new ArrayList<>();
        for (String side : exists ? List.of(">", "<") : List.of("<", ">")) {
            List<String> options = List.of("--resolution", side.equals("<") ? "highest" : "lowest");
            if (!exists || found.isEmpty()) {
                installable(name + side + missing.get().version(), options, program, stage, python)
                        .flatMap(answer -> answer.wouldInstall(name))
                        .ifPresent(found::add);
            }
        }
        found.sort(Comparator.comparingInt(missing.get()::likeness).reversed());
        Optional<NearestVersions.Wheels> wheels =
                exists ? Optional.of(wheels(name, missing.get().version(), program, stage, python)) : Optional.empty();
        return found.isEmpty() && wheels.isEmpty()
                ? Optional.empty()
                : Optional.of(new NearestVersions(name, found, wheels));
    }

    /** Finds the newest older Python for which a version has a wheel. */
    private NearestVersions.Wheels wheels(
            String name, String version, UvInside program, Stage stage, PythonLayout python)
            throws IOException, InstallException, SupervisorException, InterruptedException {
        String[] parts = python.python().version().split("\\.", 3);
        String own = parts[0] + "." + parts[1];
        Optional<String> newest = Optional.empty();
        for (int minor = Integer.parseInt(parts[1]) - 1; minor >= OLDEST_MINOR && newest.isEmpty(); minor--) {
            String other = "3." + minor;
            newest = installable(name + "==" + version, List.of("--python-version", other), program, stage, python)
                    .map(answer -> other);
        }
        return new NearestVersions.Wheels(version, own, newest);
    }

    /** Returns the result of a dry run that installs only wheels, if it succeeds. */
    private Optional<UvAnswer> installable(
            String requirement, List<String> options, UvInside program, Stage stage, PythonLayout python)
            throws IOException, InstallException, SupervisorException, InterruptedException {
        List<String> all = new ArrayList<>(WITHOUT_BUILD);
        all.add("--no-deps");
        all.addAll(options);
        return Optional.of(runUv(program, stage, List.of(requirement), all, python, false, nothing -> {}))
                .filter(UvAnswer::succeeded);
    }

    private List<String> arguments(
            Path environment, List<String> requirements, List<String> options, boolean mayBuild) {
        List<String> arguments = new ArrayList<>(List.of("pip", "install", "--no-sources"));
        arguments.addAll(options);
        if (!mayBuild && !options.contains("--no-build")) {
            arguments.add("--no-build");
        }
        packageAge.ifPresent(age -> arguments.addAll(List.of(
                "--exclude-newer",
                Instant.now().minus(age).truncatedTo(ChronoUnit.SECONDS).toString())));
        arguments.addAll(List.of("--python", environment.resolve("bin/python").toString(), "--"));
        arguments.addAll(requirements);
        return arguments;
    }

    /** Builds the job and the command for uv and runs them. */
    private UvAnswer runUv(
            UvInside program,
            Stage stage,
            List<String> requirements,
            List<String> options,
            PythonLayout python,
            boolean lowPriority,
            Consumer<String> progress)
            throws IOException, InstallException, SupervisorException, InterruptedException {
        List<Volume> volumes = new ArrayList<>(python.volumes());
        Volume workspace = new Volume.Workspace(stage.root(), INSIDE, Path.of(stage.name()));
        Path inside = sandbox.pathOf(workspace);
        volumes.addAll(List.of(workspace, supervisor.volume()));
        volumes.addAll(program.volumes());
        IndexGateways gateways =
                sandbox.capabilities().isolates() ? IndexGateways.open(index, host) : IndexGateways.NONE;
        Map<String, String> variables = new TreeMap<>(
                sandbox.capabilities().isolates()
                        ? index.uvEnvironmentInside(gateways.addresses())
                        : index.uvEnvironment());
        index.caBundle().map(bundle -> Volume.Content.ofFile(bundle, "/ca.pem")).ifPresent(bundle -> {
            volumes.add(bundle);
            variables.put("SSL_CERT_FILE", sandbox.pathOf(bundle).toString());
        });
        showFindLinks(python, gateways, volumes, variables);
        variables.putAll(python.variables(sandbox));
        variables.put("PATH", "/usr/bin:/bin");
        variables.put("UV_CACHE_DIR", inside.resolve(stage.cache()).toString());
        variables.put("UV_NO_CONFIG", "1");
        variables.put("UV_PYTHON_DOWNLOADS", "never");
        List<String> interpreter =
                new ArrayList<>(List.of(python.executable(sandbox).toString()));
        interpreter.addAll(supervisor.arguments(sandbox));
        Job job = new Job(interpreter, volumes, variables, LIMITS, Network.INTERNET, egress(gateways))
                .withPriority(lowPriority ? Job.Priority.LOW : Job.Priority.NORMAL);
        Path environment = inside.resolve(stage.name());
        List<String> command = new ArrayList<>();
        if (sandbox.capabilities().isolates()) {
            // uv runs each Python whose path is not in its cache to query it, which doubles the time.
            String known = "/tmp/environment-" + python.python().version();
            command.addAll(List.of("/bin/sh", "-c", LINK, "sh", environment.toString(), known));
            environment = Path.of(known);
        }
        command.add(program.path().toString());
        command.addAll(arguments(environment, requirements, options, stage.mayBuild()));
        return runGuarded(stage, job, lowPriority ? LowPriority.command(command) : command, gateways, progress);
    }

    /** Mounts each folder of the host that contains packages. */
    private void showFindLinks(
            PythonLayout python, IndexGateways gateways, List<Volume> volumes, Map<String, String> variables) {
        List<String> links = new ArrayList<>(
                sandbox.capabilities().isolates()
                        ? index.remoteFindLinksInside(gateways.addresses())
                        : index.remoteFindLinks());
        python.inner().flatMap(ImagePython::wheels).ifPresent(wheels -> links.add(wheels.toString()));
        for (Path link : index.localFindLinks()) {
            Volume folder = new Volume.HostFolder(link, Path.of("/find-links/" + links.size()), false);
            volumes.add(folder);
            links.add(sandbox.pathOf(folder).toString());
        }
        variables.remove("UV_FIND_LINKS");
        if (!links.isEmpty()) {
            variables.put("UV_FIND_LINKS", String.join(",", links));
        }
    }

    /** Runs a command in a sandbox. A {@link DiskGuard} stops it if it writes too much. */
    private UvAnswer runGuarded(
            Stage stage, Job job, List<String> command, IndexGateways gateways, Consumer<String> progress)
            throws IOException, InstallException, SupervisorException, InterruptedException {
        Task task = Task.command(command, proxyVariables());
        // Bytes, because a character may be split between two frames. After a timeout the reading thread may still
        // write;
        // this stream is thread-safe.
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        UvProgress lines = new UvProgress(progress);
        TaskListener listener = (stream, bytes, length) -> {
            lines.accept(bytes, length);
            if (output.size() < MOST_OUTPUT) {
                output.write(bytes, 0, length);
            }
        };
        Instant start = Instant.now().truncatedTo(ChronoUnit.SECONDS);
        Supervisor process = Supervisor.start(sandbox, job);
        UvAnswer answer;
        try (process;
                DiskGuard guard = DiskGuard.over(
                        stage.root(), mostWritten, enough -> stage.usage(start, enough), process::close)) {
            Optional<TaskResult> result = Optional.empty();
            try {
                result = Optional.of(process.run(task, listener, TIME_LIMIT));
            } catch (SupervisorException e) {
                if (guard.stopReason().isEmpty()) {
                    throw e;
                }
            }
            if (guard.stopReason().isPresent()) {
                throw new InstallException(guard.stopReason().get());
            }
            String readable = gateways.translate(output.toString(StandardCharsets.UTF_8));
            answer = new UvAnswer(
                    result.orElseThrow(), readable, process.refusedConnections(), gateways.problem(readable));
        }
        if (!process.isDead()) { // it could change the environment after the inspection
            throw new InstallException("A process of the installation could not be killed.");
        }
        return answer;
    }

    /**
     * Allows the hosts of the package index and its files. They come from the host's settings, so private addresses are
     * allowed. Without isolation there is no proxy.
     */
    private EgressPolicy egress(IndexGateways gateways) throws InvalidProxyException, InterruptedException {
        if (!sandbox.capabilities().isolates()) {
            return EgressPolicy.only(List.of());
        }
        List<String> hosts = List.copyOf(new IndexHosts(index, host).find());
        return EgressPolicy.only(hosts)
                .trusting(hosts)
                .serving(gateways.hosts())
                .withUpstreamFrom(host.environment());
    }

    /** Returns the proxy variables: those of the job's proxy if the sandbox isolates, else the host's. */
    private Map<String, String> proxyVariables() {
        return sandbox.capabilities().isolates()
                ? ProxyVariables.FOR_INSTALLER
                : index.proxies().environment();
    }
}
