package dev.pysandbox.execution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pysandbox.api.ExecutionListener;
import dev.pysandbox.api.ExecutionRequest;
import dev.pysandbox.api.ExecutionResult;
import dev.pysandbox.api.Network;
import dev.pysandbox.api.PythonSandbox;
import dev.pysandbox.api.Status;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the pool with real sandboxes. */
class WarmSandboxIT {
    @TempDir
    private Path folder;

    private LocalPythonSandbox sandbox;

    @BeforeEach
    void open() throws IOException {
        Path cache = Files.createDirectories(folder.resolve("cache"));
        sandbox = LocalPythonSandbox.open(PythonSandbox.builder()
                .warmCache(false)
                .network(Network.NONE)
                .cacheDir(cache)
                .config());
    }

    @AfterEach
    void close() {
        sandbox.close();
    }

    private String stdout(String script) {
        ExecutionResult result = sandbox.execute(ExecutionRequest.of(script), ExecutionListener.NONE);
        assertEquals(
                Status.OK,
                result.status(),
                () -> result.message() + result.stderr().text());
        return result.stdout().text();
    }

    /** Waits until a number of interpreters wait for a script. */
    private static Set<ProcessHandle> awaitWaiting(int number) throws InterruptedException {
        Set<ProcessHandle> waiting = waiting();
        for (int tries = 0; waiting.size() != number && tries < 600; tries++) {
            Thread.sleep(50);
            waiting = waiting();
        }
        assertEquals(number, waiting.size());
        return waiting;
    }

    /** Waits until the parent can notice the death of a process, which takes the kernel a moment. */
    private static void awaitDeath(ProcessHandle process) throws Exception {
        Path facts = Path.of("/proc", Long.toString(process.pid()), "stat");
        for (int tries = 0; Files.exists(facts) && !Files.readString(facts).contains(") Z "); tries++) {
            assertTrue(tries < 600, "it does not die");
            Thread.sleep(50);
        }
    }

    private static Set<ProcessHandle> waiting() {
        Set<ProcessHandle> found = new HashSet<>();
        ProcessHandle.current()
                .descendants()
                .filter(process -> process.info().commandLine().orElse("").endsWith("script.py"))
                .filter(process -> process.children().findAny().isEmpty())
                .forEach(found::add);
        return found;
    }

    @Test
    void eachIsUsedOnce() throws Exception {
        assertEquals("0\n", stdout("import os; print(len(os.listdir('.')) - 1)"));
        awaitWaiting(0); // none waits before keepWarm; the sandbox of the script is still ending
        sandbox.keepWarm();
        Set<ProcessHandle> first = awaitWaiting(2);
        Set<String> seeds = new HashSet<>();
        for (int run = 0; run < 4; run++) {
            seeds.add(stdout("""
                    import os, random, tempfile
                    assert not os.path.exists("left") and not os.path.exists("/tmp/left")
                    open("left", "w").close(), open("/tmp/left", "w").close()
                    print(random.random(), hash("x"), os.path.basename(tempfile.mkdtemp()))
                    """));
            awaitWaiting(2); // else the next script gets a sandbox that is not ready yet
        }
        assertEquals(4, seeds.size(), "each run has its own randomness");
        for (ProcessHandle used : first) {
            used.onExit().get(30, TimeUnit.SECONDS);
        }
    }

    @Test
    void aDeadOneIsNotHandedOut() throws Exception {
        sandbox.keepWarm();
        // They are started one after the other, so the older one is ready.
        ProcessHandle older = awaitWaiting(2).stream()
                .min(Comparator.comparing(
                        process -> process.info().startInstant().orElseThrow()))
                .orElseThrow();
        older.destroyForcibly();
        awaitWaiting(1);
        awaitDeath(older);
        assertEquals("1\n", stdout("print(1)"));
        awaitWaiting(2);
    }

    @Test
    void closingEndsThoseThatWait() throws InterruptedException {
        sandbox.keepWarm();
        Set<ProcessHandle> waiting = awaitWaiting(2);
        sandbox.close();
        for (ProcessHandle process : waiting) {
            assertFalse(process.isAlive());
        }
    }

    @Test
    void theSupervisorIsCompiledForThoseToCome() throws InterruptedException {
        String look = "import glob\nprint(glob.glob('/run/supervisor/__pycache__/*'))";
        assertFalse(stdout(look).contains("supervisor.cpython"));
        sandbox.keepWarm();
        for (int tries = 0; !stdout(look).contains("supervisor.cpython"); tries++) {
            assertTrue(tries < 300, "not within 30 s");
            Thread.sleep(100);
        }
    }
}
