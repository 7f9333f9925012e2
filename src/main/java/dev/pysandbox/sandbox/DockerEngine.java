package dev.pysandbox.sandbox;

import dev.pysandbox.process.Command;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * The command line of docker or podman; which engine it speaks to is told by its own variables and contexts.
 *
 * @param environment the server's own: DOCKER_HOST, DOCKER_CONTEXT, HOME and the like
 */
record DockerEngine(Path program, Map<String, String> environment) {
    static final Duration SHORT = Duration.ofSeconds(20);

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
                .map(program -> new DockerEngine(program, environment));
    }

    boolean isPodman() {
        return String.valueOf(program.getFileName()).startsWith("podman");
    }

    Command.Outcome run(List<String> arguments) throws IOException, InterruptedException {
        return run(arguments, SHORT, line -> {});
    }

    /** @param lines hears each line that it prints */
    Command.Outcome run(List<String> arguments, Duration timeout, Consumer<String> lines)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(program.toString()));
        command.addAll(arguments);
        Path directory = program.toAbsolutePath().getRoot();
        return new Command(command, environment, directory, timeout).run(lines, lines);
    }
}
