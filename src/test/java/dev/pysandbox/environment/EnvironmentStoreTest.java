package dev.pysandbox.environment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pysandbox.environment.install.InstallException;
import dev.pysandbox.environment.install.Installer;
import dev.pysandbox.index.IndexSettings;
import dev.pysandbox.sandbox.Sandbox;
import dev.pysandbox.sandbox.ScriptedSandbox;
import dev.pysandbox.sandbox.Volume;
import dev.pysandbox.supervisor.FakeSupervisor;
import dev.pysandbox.supervisor.FakeSupervisor.Received;
import dev.pysandbox.supervisor.SupervisorProgram;
import dev.pysandbox.support.ByteSize;
import dev.pysandbox.support.CacheFolder;
import dev.pysandbox.support.Host;
import dev.pysandbox.support.Platform;
import dev.pysandbox.support.SharedLocks;
import dev.pysandbox.toolchain.PythonLayout;
import dev.pysandbox.toolchain.UvSource;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Environments with a sandbox that only pretends to run uv. */
class EnvironmentStoreTest {
    private static final ByteSize BUDGET = ByteSize.parse("1g");

    @TempDir
    private Path cache;

    private final List<List<String>> commands = new CopyOnWriteArrayList<>();
    private PythonLayout python;
    private EnvironmentStore store;

    @AfterEach
    void close() {
        store.close();
    }

    private void open(FakeSupervisor.Behaviour uv) throws IOException {
        Sandbox sandbox = new ScriptedSandbox(new FakeSupervisor((task, reports) -> {
            commands.add(task.all('a'));
            return uv.run(task, reports);
        }));
        Host host = new Host(Map.of(), cache, cache, Platform.of("Linux", "amd64", false));
        IndexSettings index = IndexSettings.fromEnvironment(Map.of());
        SupervisorProgram supervisor = SupervisorProgram.extract(cache.resolve("supervisor"));
        UvSource source = new UvSource("", host, index);
        Installer installer = new Installer(host, sandbox, supervisor, index, source, Optional.empty(), BUDGET);
        python = PythonLayout.of(sandbox.ownPython().orElseThrow());
        store = new EnvironmentStore(cache, sandbox, installer, new BytecodeCompiler(sandbox, supervisor), BUDGET);
    }

    /** Writes one file where uv would install a package. */
    private static String install(Received task) throws IOException {
        Files.writeString(packages(task).resolve("installed.py"), "");
        return "code=0";
    }

    private static Path packages(Received task) {
        Volume.Workspace workspace = task.job().volumes().stream()
                .filter(Volume.Workspace.class::isInstance)
                .map(Volume.Workspace.class::cast)
                .findFirst()
                .orElseThrow();
        return workspace.source().resolve(workspace.result()).resolve("lib/python3.13/site-packages");
    }

    private PythonEnvironment prepare(String... requirements) throws InstallException, InterruptedException {
        return store.prepare(python, List.of(requirements), List.of(), progress -> {});
    }

    private long installations() {
        return commands.stream().filter(command -> command.contains("install")).count();
    }

    @Test
    void installsOnceForTheSameRequirements() throws Exception {
        open((task, reports) -> install(task));
        PythonEnvironment first = prepare("six");
        PythonEnvironment second = prepare("six");
        assertTrue(first.installed().isPresent());
        assertEquals(Optional.empty(), second.installed());
        assertEquals(first.folder(), second.folder());
        assertTrue(Files.exists(first.folder().resolve("lib/python3.13/site-packages/installed.py")));
        assertEquals(1, installations());
    }

    @Test
    void aClosedStoreLocksNoEnvironment() throws Exception {
        open((task, reports) -> install(task));
        Path folder = prepare("six").folder();
        store.close();
        SharedLocks locks = SharedLocks.in(CacheFolder.LOCKS.in(cache));
        Optional<SharedLocks.Held> alone = locks.tryExclusive(EnvironmentStore.lockName(folder));
        assertTrue(alone.isPresent());
        alone.get().close();
    }

    @Test
    void otherRequirementsAreAnotherEnvironment() throws Exception {
        open((task, reports) -> install(task));
        assertNotEquals(prepare("six").folder(), prepare("attrs").folder());
        assertEquals(2, installations());
    }

    @Test
    void needsNoInstallerWithoutRequirements() throws Exception {
        open((task, reports) -> install(task));
        assertTrue(Files.exists(prepare().folder().resolve("pyvenv.cfg")));
        assertEquals(List.of(), commands);
    }

    @Test
    void callsAtTheSameTimeShareOneInstallation() throws Exception {
        open((task, reports) -> {
            Thread.sleep(100);
            return install(task);
        });
        ExecutorService threads = Executors.newFixedThreadPool(4);
        Callable<PythonEnvironment> call = () -> prepare("six");
        for (var each : threads.invokeAll(List.of(call, call, call, call))) {
            each.get();
        }
        threads.shutdown();
        assertEquals(1, installations());
    }

    @Test
    void aFailureLeavesNothingAndIsNotRemembered() throws Exception {
        open((task, reports) -> {
            if (installations() == 1) {
                reports.stderr("No solution found when resolving dependencies\n");
                return "code=1";
            }
            return install(task);
        });
        InstallException failure = assertThrows(InstallException.class, () -> prepare("six"));
        assertTrue(failure.getMessage().startsWith("The dependencies can't be met together"), failure::getMessage);
        try (Stream<Path> left = Files.list(CacheFolder.ENVIRONMENTS.in(cache))) {
            assertEquals(List.of(), left.toList());
        }
        assertTrue(prepare("six").installed().isPresent());
    }

    @Test
    void readsCharactersThatAreSplitBetweenFrames() throws Exception {
        open((task, reports) -> {
            for (byte each : "No solution found: naïve €\n".getBytes(StandardCharsets.UTF_8)) {
                reports.stderr(new byte[] {each});
            }
            return "code=1";
        });
        InstallException failure = assertThrows(InstallException.class, () -> prepare("six"));
        assertTrue(failure.getMessage().contains("naïve €"), failure::getMessage);
    }

    @Test
    void buildsInASeparateStageWhatHasNoWheel() throws Exception {
        open((task, reports) -> {
            if (task.all('a').contains("--no-build")) {
                reports.stderr("building from source is disabled\n");
                return "code=1";
            }
            return install(task);
        });
        assertTrue(prepare("six").installed().isPresent());
        assertEquals(2, installations());
        try (Stream<Path> left = Files.list(CacheFolder.BUILDS.in(cache))) {
            assertEquals(List.of(), left.toList());
        }
    }

    @Test
    void refusesAnEnvironmentWhoseSupervisorWasReplaced() throws Exception {
        open((task, reports) -> {
            Files.writeString(packages(task).resolve(SupervisorProgram.PTH_NAME), "import other");
            return "code=0";
        });
        assertThrows(InstallException.class, () -> prepare("six"));
        try (Stream<Path> left = Files.list(CacheFolder.ENVIRONMENTS.in(cache))) {
            assertFalse(left.findAny().isPresent());
        }
    }
}
