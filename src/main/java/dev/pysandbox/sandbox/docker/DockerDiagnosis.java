package dev.pysandbox.sandbox.docker;

import dev.pysandbox.sandbox.RefusedException;
import dev.pysandbox.sandbox.local.PackageManager;
import dev.pysandbox.support.Platform;
import dev.pysandbox.support.ShortText;
import java.util.List;
import java.util.Locale;

/**
 * Finds out why docker does not work and how to fix it, from its error message.
 *
 * @param system the host's operating system
 * @param command the command in messages: docker or podman
 */
record DockerDiagnosis(Platform.Os system, String command, String image) {
    private static final int LONGEST_QUOTE = 300;

    /** A known error, recognized if the output contains any of the phrases. */
    private record Known(List<String> words, String reason, String remedy) {}

    /** Neither docker nor podman is installed. */
    static RefusedException missing(Platform.Os system, PackageManager packages) {
        String remedy = switch (system) {
            case LINUX -> packages.install(packageName(packages));
            case MACOS -> "brew install --cask docker && open -a Docker";
            case WINDOWS -> "winget install Docker.DockerDesktop";
        };
        return new RefusedException("neither docker nor podman is installed", remedy);
    }

    /** Fedora and its relatives have podman, but no package of docker that all of them share. */
    private static String packageName(PackageManager packages) {
        return switch (packages) {
            case APT_GET -> "docker.io";
            case DNF, YUM -> "podman";
            case PACMAN, ZYPPER, APK, UNKNOWN -> "docker";
        };
    }

    RefusedException of(String errorOutput) {
        String output = errorOutput.strip().replaceAll("\\s+", " ");
        String lower = output.toLowerCase(Locale.ROOT);
        for (Known known : known()) {
            if (known.words().stream().anyMatch(lower::contains)) {
                return new RefusedException(known.reason() + quote(output), known.remedy());
            }
        }
        return new RefusedException(
                command + " can't run a container here" + quote(output),
                "run '" + command + " run --rm " + image + " true' to see the error");
    }

    /** The image is missing and could neither be pulled nor built. */
    RefusedException noImage(String pulling, String building) {
        String both = (pulling + "\n" + building).toLowerCase(Locale.ROOT);
        if (both.contains("no space left on device") || both.contains("no matching manifest")) {
            return of(pulling + "\n" + building);
        }
        return new RefusedException(
                "the image " + image + " is missing, can't be pulled" + quote(lastLine(pulling)) + " and can't be built"
                        + quote(lastLine(building)),
                command + " pull " + image + ", or name an existing image with --docker-image");
    }

    RefusedException wrongPython(String wanted, String found) {
        return new RefusedException(
                "the image " + image + " has no Python " + wanted + (found.isEmpty() ? "" : " but " + found),
                "name another image with --docker-image, or choose its Python with --python-version");
    }

    RefusedException noUv() {
        return new RefusedException("the image " + image + " has no uv", "name another image with --docker-image");
    }

    RefusedException filesNotShared() {
        return new RefusedException(
                "the " + command + " engine can't mount this machine's files; "
                        + (isPodman() ? "CONTAINER_HOST" : "DOCKER_HOST") + " may name another machine",
                "unset " + (isPodman() ? "CONTAINER_HOST" : "DOCKER_HOST and DOCKER_CONTEXT")
                        + ", or share the temporary folder and the cache folder with the engine");
    }

    /** gVisor containers can't connect to sockets of the host, such as the proxy's, without {@code --host-uds=open}. */
    RefusedException socketsNotShown(String runtime) {
        return new RefusedException(
                "containers of the runtime " + runtime + " can't reach the socket of the proxy",
                "sudo runsc install --runtime " + runtime + " -- --host-uds=open && sudo systemctl restart docker");
    }

    private boolean isPodman() {
        return !command.equals("docker");
    }

    private List<Known> known() {
        String engine = "the " + command + " engine";
        return List.of(
                new Known(
                        List.of("permission denied while trying to connect", "connect: permission denied"),
                        "this user may not use " + engine,
                        isPodman() ? "unset CONTAINER_HOST" : "sudo usermod -aG docker \"$USER\", then log in again"),
                new Known(
                        List.of("unknown or invalid runtime", "unknown runtime", "invalid runtime", "oci runtime \""),
                        engine + " does not know the runtime of --docker-runtime",
                        "install that runtime and restart the engine, or leave out --docker-runtime"),
                new Known(
                        List.of(
                                "cannot connect to",
                                "is the docker daemon running",
                                "connection refused",
                                "no such host",
                                "error during connect",
                                "did not answer"),
                        engine + " does not run",
                        howToStart()),
                new Known(List.of("no space left on device"), engine + "'s disk is full", command + " system prune"),
                new Known(
                        List.of("exec format error", "no matching manifest", "the specified platform"),
                        "the image " + image + " is made for another processor",
                        command + " rmi " + image + ", to rebuild it"),
                new Known(
                        List.of("no such image", "unable to find image"),
                        "the image " + image + " is missing",
                        command + " pull " + image));
    }

    private String howToStart() {
        if (system == Platform.Os.LINUX) {
            return isPodman() ? "systemctl --user start podman.socket" : "sudo systemctl start docker";
        }
        if (isPodman()) {
            return "podman machine start";
        }
        return system == Platform.Os.MACOS ? "open -a Docker" : "start Docker Desktop";
    }

    private static String quote(String output) {
        return output.isBlank() ? "" : " (" + ShortText.start(output, LONGEST_QUOTE) + ")";
    }

    private static String lastLine(String text) {
        List<String> lines =
                text.strip().lines().filter(line -> !line.isBlank()).toList();
        return lines.isEmpty() ? "" : lines.get(lines.size() - 1).strip();
    }
}
