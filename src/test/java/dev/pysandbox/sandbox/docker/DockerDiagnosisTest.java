package dev.pysandbox.sandbox.docker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pysandbox.sandbox.RefusedException;
import dev.pysandbox.sandbox.local.PackageManager;
import dev.pysandbox.support.Platform;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DockerDiagnosisTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?  | does not run             | systemctl start docker
            Got permission denied while trying to connect to the Docker daemon socket: connect: permission denied | may not use          | usermod -aG docker
            write /var/lib/docker/tmp/x: no space left on device                                                | disk is full            | docker system prune
            exec /usr/bin/env: exec format error                                                                | another processor       | docker rmi img:1, to rebuild it
            docker: Error response from daemon: Unknown runtime specified runsc: unknown or invalid runtime name | does not know the runtime | --docker-runtime
            Error: default OCI runtime "nosuch" not found: invalid argument                                     | does not know the runtime | --docker-runtime
            docker: Error response from daemon: No such image: img:1.                                           | img:1 is missing        | docker pull img:1
            something else                                                                                      | (something else)        | docker run --rm img:1
            """)
    void namesTheReasonAndWhatMendsIt(String said, String reason, String remedy) {
        RefusedException refusal = new DockerDiagnosis(Platform.Os.LINUX, "docker", "img:1").of(said);
        assertTrue(refusal.reason().contains(reason), refusal.reason());
        assertTrue(refusal.remedy().contains(remedy), refusal.remedy());
    }

    @Test
    void knowsHowDockerIsStartedElsewhere() {
        String said = "Cannot connect to the Docker daemon";
        assertEquals(
                "open -a Docker",
                new DockerDiagnosis(Platform.Os.MACOS, "docker", "i").of(said).remedy());
        assertEquals(
                "start Docker Desktop",
                new DockerDiagnosis(Platform.Os.WINDOWS, "docker", "i").of(said).remedy());
    }

    @ParameterizedTest
    @CsvSource({
        "LINUX, APT_GET, sudo apt-get install -y docker.io",
        "LINUX, DNF, sudo dnf install -y podman",
        "LINUX, PACMAN, sudo pacman -S --noconfirm docker",
        "LINUX, APK, sudo apk add docker",
        "LINUX, UNKNOWN, install the package docker",
        "MACOS, UNKNOWN, brew install --cask docker && open -a Docker",
        "WINDOWS, UNKNOWN, winget install Docker.DockerDesktop"
    })
    void namesTheCommandThatInstallsAnEngine(Platform.Os system, PackageManager packages, String remedy) {
        assertEquals(remedy, DockerDiagnosis.missing(system, packages).remedy());
    }

    @Test
    void speaksOfPodmanWhereThatIsIt() {
        DockerDiagnosis linux = new DockerDiagnosis(Platform.Os.LINUX, "podman", "img:1");
        assertEquals("podman system prune", linux.of("no space left on device").remedy());
        String said = "Cannot connect to Podman. Please verify your connection to the Linux system";
        assertTrue(linux.of(said).reason().startsWith("the podman engine does not run"), said);
        assertEquals(
                "podman machine start",
                new DockerDiagnosis(Platform.Os.MACOS, "podman", "i").of(said).remedy());
    }

    @Test
    void saysWhyAnImageCantBeHad() {
        DockerDiagnosis diagnosis = new DockerDiagnosis(Platform.Os.LINUX, "docker", "img:1");
        String reason = diagnosis
                .noImage("pull access denied", "Step 1/2\nfailed to fetch")
                .reason();
        assertTrue(reason.contains("can't be pulled (pull access denied)"), reason);
        assertTrue(reason.contains("can't be built (failed to fetch)"), reason);
        assertTrue(diagnosis.noImage("", "no space left on device").remedy().contains("prune"));
    }
}
