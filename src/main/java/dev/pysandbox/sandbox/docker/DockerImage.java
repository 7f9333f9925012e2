package dev.pysandbox.sandbox.docker;

import dev.pysandbox.sandbox.RefusedException;
import dev.pysandbox.support.BundledFile;
import dev.pysandbox.support.Folders;
import dev.pysandbox.support.HostCommand;
import dev.pysandbox.support.NetworkVariables;
import dev.pysandbox.support.Sha256;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The image of the containers: an existing one, else it is pulled, else built from the bundled Dockerfile. */
final class DockerImage {
    private static final Duration PULL_TIME = Duration.ofMinutes(10);
    private static final Duration BUILD_TIME = Duration.ofMinutes(20);
    static final String PROFILES = "/dev/pysandbox/profiles/";
    private static final Pattern STEP = Pattern.compile("^(Step |#\\d+ \\[|(\\[\\d+/\\d+] )?STEP )");
    private static final String STAGE = "dev.pysandbox.stage";
    private static final List<String> CONTEXT = List.of("Dockerfile", "warmup_packages.txt");

    /** The predefined build arguments, which need no ARG line in the Dockerfile. */
    private static final List<String> PROXIES = Stream.of(
                    NetworkVariables.HTTP_PROXY, NetworkVariables.HTTPS_PROXY, NetworkVariables.NO_PROXY)
            .flatMap(name -> Stream.of(name, name.toLowerCase(Locale.ROOT)))
            .toList();

    private final DockerEngine engine;
    private final DockerSettings settings;
    private final String name;

    DockerImage(DockerEngine engine, DockerSettings settings) {
        this.engine = engine;
        this.settings = settings;
        this.name = settings.image().orElse(defaultName(settings.pythonVersion()));
    }

    /** Returns a name with the hash of the Dockerfile, so that an image of another Dockerfile is never used. */
    private static String defaultName(String pythonVersion) {
        return "python-sandbox:" + pythonVersion + "-"
                + Sha256.of(resource("Dockerfile")).substring(0, 12);
    }

    String name() {
        return name;
    }

    /** Returns the image's id; empty if the engine does not have the image. */
    Optional<String> id() throws IOException, InterruptedException {
        HostCommand.Outcome outcome = engine.run(List.of("image", "inspect", "--format", "{{.Id}}", name));
        return outcome.succeeded() ? Optional.of(outcome.stdout().strip()) : Optional.empty();
    }

    /** Returns the image's id, after pulling or building the image if the engine does not have it. */
    String obtain(Path scratch, DockerDiagnosis diagnosis, Consumer<String> progress)
            throws IOException, InterruptedException, RefusedException {
        Optional<String> present = id();
        if (present.isPresent()) {
            return present.get();
        }
        String pulling = pull(progress);
        Optional<String> pulled = id();
        if (pulled.isPresent()) {
            return pulled.get();
        }
        String building = build(scratch, progress);
        return id().orElseThrow(() -> diagnosis.noImage(pulling, building));
    }

    /**
     * Pulls the image and returns the error output. The default name is not pulled: it is not published, so an image of
     * that name would be unknown.
     */
    private String pull(Consumer<String> progress) throws IOException, InterruptedException {
        if (settings.image().isEmpty()) {
            return "it is not published";
        }
        progress.accept("pulling the image " + name);
        return errorOutput(engine.run(List.of("pull", name), PULL_TIME, line -> {}), PULL_TIME);
    }

    private String build(Path scratch, Consumer<String> progress) throws IOException, InterruptedException {
        progress.accept("building the image " + name + ", which takes a few minutes and is done once");
        Path context = Files.createDirectories(scratch);
        try {
            for (String file : CONTEXT) {
                Files.write(context.resolve(file), resource(file));
            }
            Optional<Path> certificates = certificates(engine.environment());
            if (certificates.isPresent()) {
                Files.copy(certificates.get(), context.resolve("ca.pem"));
            }
            Optional<String> index = index(engine.environment());
            if (index.isPresent()) {
                // Not a build argument: every local user could read it, and the image's history would contain it.
                Files.writeString(context.resolve("pip.conf"), "[global]\nindex-url = " + index.get() + "\n");
            }
            List<String> command = buildCommand(name, settings.pythonVersion(), engine.environment(), context);
            String output = errorOutput(engine.run(command, BUILD_TIME, line -> send(line, progress)), BUILD_TIME);
            engine.run(List.of("image", "prune", "--force", "--filter", "label=" + STAGE));
            return output;
        } finally {
            Folders.delete(context);
        }
    }

    /**
     * Reports the steps of a build: {@code Step 3/9 : RUN x} or {@code #7 [fetched 2/5] RUN x} from docker, {@code STEP
     * 3/9: RUN x} from podman.
     */
    private static void send(String line, Consumer<String> progress) {
        if (STEP.matcher(line).find()) {
            progress.accept("building the image: " + line);
        }
    }

    static List<String> buildCommand(String name, String pythonVersion, Map<String, String> environment, Path context) {
        List<String> command = new ArrayList<>(List.of("build", "--force-rm", "--tag", name));
        command.addAll(List.of("--build-arg", "PYTHON_VERSION=" + pythonVersion));
        for (String proxy : PROXIES) {
            if (!environment.getOrDefault(proxy, "").isBlank()) {
                command.addAll(List.of("--build-arg", proxy)); // the client reads its value from its environment
            }
        }
        command.add(context.toString());
        return command;
    }

    /** Returns the URL of the host's package index, which may contain a password. */
    private static Optional<String> index(Map<String, String> environment) {
        return NetworkVariables.INDEXES.stream()
                .map(variable -> environment.getOrDefault(variable, "").strip())
                .filter(index -> !index.isEmpty() && index.lines().count() == 1)
                .findFirst();
    }

    private static Optional<Path> certificates(Map<String, String> environment) {
        return NetworkVariables.CA_BUNDLES.stream()
                .map(variable -> environment.getOrDefault(variable, ""))
                .filter(path -> !path.isBlank())
                .map(Path::of)
                .filter(Files::isReadable)
                .findFirst();
    }

    private static String errorOutput(HostCommand.Outcome outcome, Duration limit) {
        if (outcome.timedOut()) {
            return "it took more than " + limit.toMinutes() + " minutes";
        }
        return Stream.of(outcome.stderr(), outcome.stdout())
                .filter(text -> !text.isBlank())
                .findFirst()
                .orElse("");
    }

    private static byte[] resource(String file) {
        return BundledFile.bytes(DockerImage.class, PROFILES + file);
    }
}
