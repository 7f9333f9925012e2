package dev.pysandbox.sandbox.docker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pysandbox.support.BundledFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DockerEngineTest {
    @TempDir
    Path temporary;

    @Test
    void findsDockerOnThePathBeforeAnyOther() throws IOException {
        Path docker = program("bin/docker");
        program("home/.docker/bin/docker");
        assertEquals(docker, find("relative:" + docker.getParent()).program());
    }

    @Test
    void findsDockerInAHomeWithAPoorPath() throws IOException {
        Path docker = program("home/.docker/bin/docker");
        Path found = find("").program();
        // If this machine has docker in a system folder, that one is found first.
        assertTrue(found.equals(docker) || !found.startsWith(temporary), found.toString());
    }

    @Test
    void tellsPodmanByWhateverNameItGoes() throws IOException {
        assertFalse(find(program("docker/docker").getParent().toString()).isPodman());
        Path podman = program("podman/podman");
        Path link = Files.createDirectories(temporary.resolve("link")).resolve("docker");
        Files.createSymbolicLink(link, podman);
        assertTrue(find(link.getParent().toString()).isPodman());
        Path script = program("script/docker");
        Files.writeString(script, "#!/bin/sh\nexec /usr/bin/podman \"$@\"\n");
        assertTrue(find(script.getParent().toString()).isPodman());
    }

    @Test
    void putsNoSecretOnTheCommandLineOfABuild() {
        Map<String, String> environment =
                Map.of("PIP_INDEX_URL", "https://user:secret@index/simple", "HTTPS_PROXY", "http://user:secret@p:1");
        assertEquals(
                List.of(
                        "build",
                        "--force-rm",
                        "--tag",
                        "img:1",
                        "--build-arg",
                        "PYTHON_VERSION=3.12",
                        "--build-arg",
                        "HTTPS_PROXY",
                        "/ctx"),
                DockerImage.buildCommand("img:1", "3.12", environment, Path.of("/ctx")));
    }

    @Test
    void hasTheDockerfileWithin() throws IOException {
        String dockerfile = BundledFile.text(DockerImage.class, DockerImage.PROFILES + "Dockerfile");
        assertTrue(dockerfile.contains("\nFROM "), dockerfile);
        assertFalse(dockerfile.contains("syntax="), "fails where there is no registry");
    }

    private DockerEngine find(String path) {
        return DockerEngine.find(Map.of("PATH", path), temporary.resolve("home").toString())
                .orElseThrow();
    }

    private Path program(String path) throws IOException {
        Path program = temporary.resolve(path);
        Files.createDirectories(program.getParent());
        Files.writeString(program, "");
        assertTrue(program.toFile().setExecutable(true));
        return program;
    }
}
