package dev.pysandbox.sandbox.docker;

import dev.pysandbox.support.HostCommand;
import dev.pysandbox.support.Spawner;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * The command line of docker or podman; its own variables and contexts choose the engine.
 *
 * @param isPodman whatever its name
 * @param environment the server's own: DOCKER_HOST, DOCKER_CONTEXT, HOME and the like
 */
record DockerEngine(Path program, boolean isPodman, Map<String, String> environment) {
    private static final Duration SHORT = Duration.ofSeconds(20);
    private static final String PODMAN = "podman";
    private static final int LONGEST_SCRIPT = 4096;

    /** Clients with windows start us with a poor PATH. */
    private static final List<String> FOLDERS = List.of(
            "/usr/bin",
            "/usr/local/bin",
            "/opt/homebrew/bin",
            "/snap/bin",
            "/run/current-system/sw/bin",
            "/Applications/Docker.app/Contents/Resources/bin",
            "~/.docker/bin",
            "~/.orbstack/bin",
            "~/.rd/bin",
            "C:\\Program Files\\Docker\\Docker\\resources\\bin",
            "C:\\Program Files\\RedHat\\Podman");

    private static final List<String> NAMES = List.of("docker", "podman", "docker.exe", "podman.exe");

    static Optional<DockerEngine> find(Map<String, String> environment) {
        return find(environment, System.getProperty("user.home", "/"));
    }

    static Optional<DockerEngine> find(Map<String, String> environment, String home) {
        String searchPath = environment.getOrDefault("PATH", environment.getOrDefault("Path", ""));
        List<Path> folders = Stream.concat(Stream.of(searchPath.split(File.pathSeparator, -1)), FOLDERS.stream())
                .filter(folder -> !folder.isBlank())
                .map(folder -> Path.of(folder.startsWith("~/") ? home + folder.substring(1) : folder))
                .filter(Path::isAbsolute)
                .toList();
        return NAMES.stream()
                .flatMap(name -> folders.stream().map(folder -> folder.resolve(name)))
                .filter(program -> Files.isRegularFile(program) && Files.isExecutable(program))
                .findFirst()
                .map(program -> new DockerEngine(program, isPodman(program), environment));
    }

    /** It also goes by docker's name: as a link, or as a script like that of the package podman-docker. */
    private static boolean isPodman(Path program) {
        try {
            Path real = program.toRealPath();
            return String.valueOf(real.getFileName()).startsWith(PODMAN)
                    || (Files.size(real) <= LONGEST_SCRIPT
                            && Files.readString(real, StandardCharsets.ISO_8859_1)
                                    .contains(PODMAN));
        } catch (IOException e) {
            return false; // one that can be run but not read is no script
        }
    }

    /** What people type to use it. */
    String command() {
        return isPodman ? PODMAN : "docker";
    }

    HostCommand.Outcome run(List<String> arguments) throws IOException, InterruptedException {
        return run(arguments, SHORT, line -> {});
    }

    /** @param lines receives each line that it prints */
    HostCommand.Outcome run(List<String> arguments, Duration timeout, Consumer<String> lines)
            throws IOException, InterruptedException {
        return new HostCommand(commandLine(arguments), environment, program.getRoot(), timeout).run(lines, lines);
    }

    /** Starts what runs until it is ended. */
    Process start(Spawner spawner, List<String> arguments) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(commandLine(arguments));
        builder.directory(program.getRoot().toFile());
        builder.environment().clear();
        builder.environment().putAll(environment);
        return spawner.start(builder);
    }

    private List<String> commandLine(List<String> arguments) {
        return Stream.concat(Stream.of(program.toString()), arguments.stream()).toList();
    }
}
