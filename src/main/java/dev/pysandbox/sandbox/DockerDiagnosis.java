package dev.pysandbox.sandbox;

import dev.pysandbox.sandbox.Sandbox.Refusal;
import java.util.List;
import java.util.Locale;

/** Tells from what docker says why it can't be used here, and what mends that. */
final class DockerDiagnosis {
    private static final String DOCKER = "docker";
    private static final int LONGEST_QUOTE = 300;

    private final String system;
    private final String image;

    /** @param system the host's system, as {@code os.name} has it */
    DockerDiagnosis(String system, String image) {
        this.system = system;
        this.image = image;
    }

    /** A complaint that is known by some of its words. */
    private record Known(List<String> words, String reason, String remedy) {}

    /** There is neither docker nor podman. */
    static Refusal missing(String system) {
        String remedy = system.startsWith("Linux")
                ? "sudo apt-get install -y docker.io"
                : system.startsWith("Mac")
                        ? "brew install --cask docker && open -a Docker"
                        : "winget install Docker.DockerDesktop";
        return new Refusal(DOCKER, "neither docker nor podman is installed", remedy);
    }

    Refusal of(String complaint) {
        String said = complaint.strip().replaceAll("\\s+", " ");
        String lower = said.toLowerCase(Locale.ROOT);
        for (Known known : known()) {
            if (known.words().stream().anyMatch(lower::contains)) {
                return new Refusal(DOCKER, known.reason() + quote(said), known.remedy());
            }
        }
        return new Refusal(
                DOCKER,
                "docker can't run a container here" + quote(said),
                "run 'docker run --rm " + image + " true' to see what it lacks");
    }

    /** The image is not there and can't be had. */
    Refusal noImage(String pulling, String building) {
        String both = (pulling + "\n" + building).toLowerCase(Locale.ROOT);
        if (both.contains("no space left on device") || both.contains("no matching manifest")) {
            return of(pulling + "\n" + building);
        }
        return new Refusal(
                DOCKER,
                "the image " + image + " is missing, can't be pulled" + quote(lastLine(pulling)) + " and can't be built"
                        + quote(lastLine(building)),
                "docker pull " + image + ", or name one that is there with --docker-image");
    }

    Refusal wrongPython(String wanted, String found) {
        return new Refusal(
                DOCKER,
                "the image " + image + " has no Python " + wanted + (found.isEmpty() ? "" : " but " + found),
                "name another image with --docker-image, or choose its Python with --python-version");
    }

    Refusal filesNotShared() {
        return new Refusal(
                DOCKER,
                "the docker engine does not see this machine's files, as where DOCKER_HOST names another machine",
                "unset DOCKER_HOST and DOCKER_CONTEXT, or share the temporary and the cache folder with the engine");
    }

    private List<Known> known() {
        String start = system.startsWith("Linux")
                ? "sudo systemctl start docker"
                : system.startsWith("Mac") ? "open -a Docker" : "start Docker Desktop";
        return List.of(
                new Known(
                        List.of("permission denied while trying to connect", "connect: permission denied"),
                        "this user may not use the docker engine",
                        "sudo usermod -aG docker \"$USER\", then log in again"),
                new Known(
                        List.of("unknown or invalid runtime", "unknown runtime", "invalid runtime"),
                        "the docker engine does not know the runtime of --docker-runtime",
                        "install that runtime and restart the engine, or leave out --docker-runtime"),
                new Known(
                        List.of(
                                "cannot connect to",
                                "is the docker daemon running",
                                "connection refused",
                                "no such host",
                                "error during connect",
                                "did not answer"),
                        "the docker engine does not run",
                        start),
                new Known(
                        List.of("no space left on device"), "the docker engine's disk is full", "docker system prune"),
                new Known(
                        List.of("exec format error", "no matching manifest", "does not match the detected host"),
                        "the image " + image + " is made for another processor",
                        "docker rmi " + image + ", so that it is made anew"),
                new Known(
                        List.of("no such image", "unable to find image"),
                        "the image " + image + " is missing",
                        "docker pull " + image));
    }

    private static String quote(String said) {
        return said.isBlank() ? "" : " (" + said.substring(0, Math.min(LONGEST_QUOTE, said.length())) + ")";
    }

    private static String lastLine(String text) {
        List<String> lines =
                text.strip().lines().filter(line -> !line.isBlank()).toList();
        return lines.isEmpty() ? "" : lines.get(lines.size() - 1).strip();
    }
}
