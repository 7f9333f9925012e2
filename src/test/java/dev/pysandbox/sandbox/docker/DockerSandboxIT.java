package dev.pysandbox.sandbox.docker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import dev.pysandbox.api.Backend;
import dev.pysandbox.api.Network;
import dev.pysandbox.sandbox.Job;
import dev.pysandbox.sandbox.ProxyEndpoint;
import dev.pysandbox.sandbox.RefusedException;
import dev.pysandbox.sandbox.Sandbox;
import dev.pysandbox.sandbox.SandboxContract;
import dev.pysandbox.sandbox.SandboxFactory;
import dev.pysandbox.sandbox.SandboxedProcess;
import dev.pysandbox.sandbox.local.NoSandboxProvider;
import dev.pysandbox.sandbox.local.RuntimeFolder;
import dev.pysandbox.support.HostCommand;
import dev.pysandbox.support.Platform;
import dev.pysandbox.support.Spawner;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Needs a docker or podman engine. Skipped without one, except in a CI run. */
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
        Assumptions.assumeTrue(answers, "no docker engine answers; e2e/lib/provision/docker.sh starts one");
    }

    @Override
    protected Sandbox create(Spawner spawner, RuntimeFolder runtime) throws RefusedException {
        return new DockerProvider(spawner, runtime, System.getenv(), Platform.Os.LINUX, SETTINGS).open(message -> {});
    }

    @Override
    protected String ownUser() throws IOException {
        return Integer.toString(DockerUser.current().user());
    }

    @Test
    void bringsItsPython() {
        assertTrue(sandbox.ownPython().orElseThrow().version().startsWith("3.13."));
    }

    /** Returns a factory without the native backend. */
    private SandboxFactory factory(Map<String, String> environment) {
        Spawner spawner = new Spawner();
        return new SandboxFactory(List.of(
                new DockerProvider(spawner, runtime, environment, Platform.Os.MACOS, SETTINGS),
                new NoSandboxProvider(spawner, runtime)));
    }

    @Test
    void isChosenForNativeElsewhereThanOnLinux() {
        SandboxFactory factory = factory(System.getenv());
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
        // A container that is closed before it has started.
        sandbox.start(job("sleep 60", Map.of(), List.of())).close();
        assertSoon(() -> containers(runtime.path()).isEmpty(), () -> "left: " + containers(runtime.path()));
    }

    @Test
    void leavesNoContainerWhoseOutputIsNotReadToItsEnd() throws Exception {
        SandboxedProcess unread = sandbox.start(job("trap '' PIPE; while :; do echo y; done", Map.of(), List.of()));
        assertEquals('y', unread.stdout().read());
        unread.close();
        SandboxedProcess closed = sandbox.start(job("trap '' PIPE; while :; do echo y; done", Map.of(), List.of()));
        assertEquals('y', closed.stdout().read());
        closed.stdout().close();
        closed.close();
        assertEquals(List.of(), containers(runtime.path()));
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
    void reachesTheProxyWhereSocketsCantBeShared() throws Exception {
        // Simulates an engine in a virtual machine: the relay reaches the host's loopback, containers do not.
        ((DockerSandbox) sandbox).useRelay(new DockerRelay.Route("host", "127.0.0.1"));
        String script =
                "import socket, sys; s = socket.socket(socket.AF_UNIX); s.connect(sys.stdin.readline().strip());"
                        + " s.sendall(b'GET http://refused.test/ HTTP/1.1\\r\\nHost: refused.test\\r\\n\\r\\n');"
                        + " print(s.recv(12))";
        for (int round = 0; round < 2; round++) {
            Job job = job("exec python3 -c \"" + script + "\"", Map.of(), List.of(), Network.INTERNET);
            try (SandboxedProcess process = sandbox.start(job)) {
                process.openEgress();
                String socket = ((ProxyEndpoint.UnixSocket) process.proxy().orElseThrow()).path() + "\n";
                process.stdin().write(socket.getBytes(StandardCharsets.UTF_8));
                process.stdin().flush();
                String answer = new String(process.stdout().readAllBytes(), StandardCharsets.UTF_8);
                assertEquals("b'HTTP/1.1 403'\n", answer);
                assertTrue(process.refusedConnections().get(0).startsWith("refused.test:80"));
            }
        }
        assertEquals(
                "0\n",
                run(job("ls -A /run/relay 2>/dev/null | wc -l", Map.of(), List.of(), Network.INTERNET))
                        .stdout());
        sandbox.close();
        assertEquals(List.of(), volumes(runtime.path()));
        assertSoon(() -> containers(runtime.path()).isEmpty(), () -> "left: " + containers(runtime.path()));
    }

    @Test
    void sweepsTheVolumesOfDeadServers() throws Exception {
        DockerEngine engine = DockerEngine.find(System.getenv()).orElseThrow();
        RuntimeFolder dead = RuntimeFolder.create();
        create(new Spawner(), dead);
        List<String> create = new ArrayList<>(List.of("volume", "create"));
        create.addAll(new DockerOrphans(engine, dead).labels());
        assertTrue(engine.run(create).succeeded());
        new DockerOrphans(engine, runtime).sweep();
        assertEquals(1, volumes(dead.path()).size());
        dead.close();
        new DockerOrphans(engine, runtime).sweep();
        assertEquals(List.of(), volumes(dead.path()));
    }

    @Test
    void saysWhenTheEngineIsDown() throws Exception {
        Path nowhere = temporary.resolve("no.sock");
        Map<String, String> environment = Map.of("PATH", "/usr/bin:/bin", "DOCKER_HOST", "unix://" + nowhere);
        SandboxFactory factory = factory(environment);
        SandboxFactory.Choice choice = factory.choose(Backend.DOCKER, message -> {});
        assertEquals("none", choice.sandbox().name());
        assertTrue(choice.refusals().get(0).reason().contains("does not run"), choice.toString());
        assertFalse(Files.exists(nowhere));
    }

    private static List<String> containers(Path server) {
        return listed(server, "ps", "--all");
    }

    private static List<String> volumes(Path server) {
        return listed(server, "volume", "ls");
    }

    private static List<String> listed(Path server, String... list) {
        List<String> command = new ArrayList<>(List.of(list));
        command.addAll(List.of("--quiet", "--filter", "label=dev.pysandbox.server=" + server));
        try {
            HostCommand.Outcome outcome =
                    DockerEngine.find(System.getenv()).orElseThrow().run(command);
            return outcome.stdout().lines().toList();
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
