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
 * Runs the docker or podman client. Its variables and contexts select the engine.
 *
 * @param isPodman whether it is podman, also if the program is named docker
 * @param environment the server's environment variables, such as DOCKER_HOST, DOCKER_CONTEXT and HOME
 */
record DockerEngine(Path program, boolean isPodman, Map<String, String> environment) {
    private static final Duration SHORT = Duration.ofSeconds(20);
    private static final String PODMAN = "podman";
    private static final int LONGEST_SCRIPT = 4096;

    /** Searched after PATH: desktop applications often start the server with a short PATH. */
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

    /**
     * Returns whether a program is podman, which may be named docker: a link, or a script such as that of
     * podman-docker.
     */
    private static boolean isPodman(Path program) {
        try {
            Path real = program.toRealPath();
            return String.valueOf(real.getFileName()).startsWith(PODMAN)
                    || (Files.size(real) <= LONGEST_SCRIPT
                            && Files.readString(real, StandardCharsets.ISO_8859_1)
                                    .contains(PODMAN));
        } catch (IOException e) {
            return false; // a file that can be executed but not read is not a script
        }
    }

    /** Returns the command for messages: docker or podman. */
    String command() {
        return isPodman ? PODMAN : "docker";
    }

    HostCommand.Outcome run(List<String> arguments) throws IOException, InterruptedException {
        return run(arguments, SHORT, line -> {});
    }

    /** @param lines receives each line of its output */
    HostCommand.Outcome run(List<String> arguments, Duration timeout, Consumer<String> lines)
            throws IOException, InterruptedException {
        return new HostCommand(commandLine(arguments), environment, program.getRoot(), timeout).run(lines, lines);
    }

    /** Starts a client that runs until its container ends. */
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
