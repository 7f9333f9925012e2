package dev.pysandbox.sandbox.docker;

import dev.pysandbox.sandbox.RefusedException;
import dev.pysandbox.support.BundledFile;
import dev.pysandbox.support.Folders;
import dev.pysandbox.support.HostCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The image that containers are made from: the one that is there, or pulled, or built from our own Dockerfile. */
final class DockerImage {
    private static final Duration PULL_TIME = Duration.ofMinutes(10);
    private static final Duration BUILD_TIME = Duration.ofMinutes(20);
    static final String PROFILES = "/dev/pysandbox/profiles/";
    private static final Pattern STEP = Pattern.compile("^(Step |#\\d+ \\[|(\\[\\d+/\\d+] )?STEP )");
    private static final String STAGE = "dev.pysandbox.stage";
    private static final List<String> CONTEXT = List.of("Dockerfile", "warmup_packages.txt");

    /** Variables of the host that name the index, the first that is set counts. */
    private static final List<String> INDEXES = List.of("UV_DEFAULT_INDEX", "UV_INDEX_URL", "PIP_INDEX_URL");

    /** Variables that a build sees without being told of them in the Dockerfile. */
    private static final List<String> PROXIES =
            List.of("HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy");

    private static final List<String> CERTIFICATES =
            List.of("SSL_CERT_FILE", "PIP_CERT", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE");

    private final DockerEngine engine;
    private final DockerSettings settings;
    private final String name;

    DockerImage(DockerEngine engine, DockerSettings settings) throws IOException {
        this.engine = engine;
        this.settings = settings;
        this.name = settings.image().orElse(defaultName(settings.pythonVersion()));
    }

    /** Named after what it is made from, so that one made from another Dockerfile is never taken for it. */
    private static String defaultName(String pythonVersion) throws IOException {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(resource("Dockerfile"));
            return "python-sandbox:" + pythonVersion + "-" + HexFormat.of().formatHex(hash, 0, 6);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    String name() {
        return name;
    }

    /** Its id, where the engine has it. */
    Optional<String> id() throws IOException, InterruptedException {
        HostCommand.Outcome outcome = engine.run(List.of("image", "inspect", "--format", "{{.Id}}", name));
        return outcome.succeeded() ? Optional.of(outcome.stdout().strip()) : Optional.empty();
    }

    /** Its id, however it must be had. */
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
        return id().orElseThrow(() -> new RefusedException(diagnosis.noImage(pulling, building)));
    }

    /** Returns what went wrong. No image is published under the default name: pulling it could fetch an unknown one. */
    private String pull(Consumer<String> progress) throws IOException, InterruptedException {
        if (settings.image().isEmpty()) {
            return "it is not published";
        }
        progress.accept("pulling the image " + name);
        return complaint(engine.run(List.of("pull", name), PULL_TIME, line -> {}), PULL_TIME);
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
                // Not an argument, which every local user could read, and later the image's history.
                Files.writeString(context.resolve("pip.conf"), "[global]\nindex-url = " + index.get() + "\n");
            }
            List<String> command = buildCommand(name, settings.pythonVersion(), engine.environment(), context);
            String said = complaint(engine.run(command, BUILD_TIME, line -> tell(line, progress)), BUILD_TIME);
            engine.run(List.of("image", "prune", "--force", "--filter", "label=" + STAGE));
            return said;
        } finally {
            Folders.delete(context);
        }
    }

    /** As docker's builders say it, {@code Step 3/9 : RUN x} and {@code #7 [fetched 2/5] RUN x}, and podman's. */
    private static void tell(String line, Consumer<String> progress) {
        if (STEP.matcher(line).find()) {
            progress.accept("building the image: " + line);
        }
    }

    static List<String> buildCommand(String name, String pythonVersion, Map<String, String> environment, Path context) {
        List<String> command = new ArrayList<>(List.of("build", "--force-rm", "--tag", name));
        command.addAll(List.of("--build-arg", "PYTHON_VERSION=" + pythonVersion));
        for (String proxy : PROXIES) {
            if (!environment.getOrDefault(proxy, "").isBlank()) {
                command.addAll(List.of("--build-arg", proxy)); // its value is the client's own
            }
        }
        command.add(context.toString());
        return command;
    }

    /** The host's index, which may hold a password. */
    private static Optional<String> index(Map<String, String> environment) {
        return INDEXES.stream()
                .map(variable -> environment.getOrDefault(variable, "").strip())
                .filter(index -> !index.isEmpty() && index.lines().count() == 1)
                .findFirst();
    }

    private static Optional<Path> certificates(Map<String, String> environment) {
        return CERTIFICATES.stream()
                .map(variable -> environment.getOrDefault(variable, ""))
                .filter(path -> !path.isBlank())
                .map(Path::of)
                .filter(Files::isReadable)
                .findFirst();
    }

    private static String complaint(HostCommand.Outcome outcome, Duration limit) {
        if (outcome.timedOut()) {
            return "it took more than " + limit.toMinutes() + " minutes";
        }
        return Stream.of(outcome.stderr(), outcome.stdout())
                .filter(text -> !text.isBlank())
                .findFirst()
                .orElse("");
    }

    private static byte[] resource(String file) throws IOException {
        return BundledFile.bytes(DockerImage.class, PROFILES + file);
    }
}
