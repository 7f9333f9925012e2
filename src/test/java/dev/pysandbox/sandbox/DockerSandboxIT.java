package dev.pysandbox.sandbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import dev.pysandbox.process.Command;
import dev.pysandbox.process.Spawner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Needs an engine; where there is none it is skipped, except in a CI run. */
class DockerSandboxIT extends SandboxContract.Isolating {
    private static final DockerSettings SETTINGS = new DockerSettings(Optional.empty(), Optional.empty(), "3.13");

    @BeforeAll
    static void needsAnEngine() throws Exception {
        Optional<DockerEngine> engine = DockerEngine.find(System.getenv());
        boolean answers =
                engine.isPresent() && engine.get().run(List.of("version")).succeeded();
        if (!answers && "true".equals(System.getenv("CI"))) {
            fail("no docker engine answers, and this is a CI run");
        }
        Assumptions.assumeTrue(answers, "no docker engine answers; e2e/provision/docker.sh starts one");
    }

    @Override
    Sandbox create(Spawner spawner, RuntimeFolder runtime) throws IOException {
        try {
            return DockerSandbox.open(spawner, runtime, System.getenv(), "Linux", SETTINGS, message -> {});
        } catch (RefusedException e) {
            throw new IOException(e.refusal().toString(), e);
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }

    @Override
    String ownUser() throws IOException {
        return Integer.toString(DockerUser.current().user());
    }

    @Test
    void bringsItsPython() {
        assertTrue(sandbox.ownPython().orElseThrow().version().startsWith("3.13."));
    }

    @Test
    void isChosenForNativeElsewhereThanOnLinux() {
        SandboxFactory factory = new SandboxFactory(new Spawner(), runtime, System.getenv(), SETTINGS, "Mac OS X");
        SandboxFactory.Choice choice = factory.choose(Backend.NATIVE, message -> {});
        assertEquals("docker", choice.sandbox().name());
        assertEquals(List.of(), choice.refusals());
    }

    @Test
    void showsNothingOfTheKernelsViewOfTheHost() throws Exception {
        assertEquals("", run("ls -A /sys; cat /etc/resolv.conf").stdout());
    }

    @Test
    void leavesNoContainer() throws Exception {
        run("true");
        try (SandboxedProcess process = sandbox.start(job("echo started; sleep 60", Map.of(), List.of()))) {
            assertEquals('s', process.stdout().read());
            assertEquals(1, containers(runtime.path()).size());
        }
        // One that is ended before it has begun.
        sandbox.start(job("sleep 60", Map.of(), List.of())).close();
        assertSoon(() -> containers(runtime.path()).isEmpty(), () -> "left: " + containers(runtime.path()));
    }

    @Test
    void sweepsTheContainersOfDeadServersAndNoOthers() throws Exception {
        DockerEngine engine = DockerEngine.find(System.getenv()).orElseThrow();
        RuntimeFolder dead = RuntimeFolder.create();
        Sandbox other = create(new Spawner(), dead);
        try (SandboxedProcess left = other.start(job("echo started; sleep 60", Map.of(), List.of()));
                SandboxedProcess own = sandbox.start(job("echo started; sleep 60", Map.of(), List.of()))) {
            assertEquals('s', left.stdout().read());
            assertEquals('s', own.stdout().read());
            dead.close();
            new DockerOrphans(engine, runtime).sweep();
            assertSoon(() -> containers(dead.path()).isEmpty(), () -> "left: " + containers(dead.path()));
            assertFalse(containers(runtime.path()).isEmpty(), "a living server's own is left alone");
        }
    }

    @Test
    void saysWhenTheEngineIsDown() throws Exception {
        Path nowhere = temporary.resolve("no.sock");
        Map<String, String> environment = Map.of("PATH", "/usr/bin:/bin", "DOCKER_HOST", "unix://" + nowhere);
        SandboxFactory factory = new SandboxFactory(new Spawner(), runtime, environment, SETTINGS, "Mac OS X");
        SandboxFactory.Choice choice = factory.choose(Backend.DOCKER, message -> {});
        assertEquals("none", choice.sandbox().name());
        assertTrue(choice.refusals().get(0).reason().contains("does not run"), choice.toString());
        assertFalse(Files.exists(nowhere));
    }

    private static List<String> containers(Path server) {
        try {
            Command.Outcome outcome = DockerEngine.find(System.getenv())
                    .orElseThrow()
                    .run(List.of("ps", "--all", "--quiet", "--filter", "label=dev.pysandbox.server=" + server));
            return outcome.stdout().lines().toList();
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
