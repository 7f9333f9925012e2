package dev.pysandbox.support;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class HostCommandIT {
    private static final Duration LONG = Duration.ofSeconds(50);

    @TempDir
    Path folder;

    private HostCommand shell(String script, Duration timeout) {
        return new HostCommand(List.of("/bin/sh", "-c", script), Map.of("PATH", "/usr/bin:/bin"), folder, timeout);
    }

    @Test
    void tellsExitCodeAndBothStreams() throws Exception {
        HostCommand.Outcome outcome =
                shell("echo out; echo err >&2; exit 3", LONG).run();
        assertEquals(new HostCommand.Outcome(3, "out\n", "err\n", false), outcome);
        assertFalse(outcome.succeeded());
    }

    @Test
    void givesExactlyTheEnvironmentAndTheFolder() throws Exception {
        HostCommand command = new HostCommand(List.of("/usr/bin/env"), Map.of("ONE", "1"), folder, LONG);
        assertEquals("ONE=1\n", command.run().stdout());
        assertEquals(folder.toRealPath() + "\n", shell("pwd -P", LONG).run().stdout());
    }

    @Test
    void passesArgumentsUntouchedByAnyShell() throws Exception {
        HostCommand command = new HostCommand(List.of("/bin/echo", "$HOME; *", "a b"), Map.of(), folder, LONG);
        assertEquals("$HOME; * a b\n", command.run().stdout());
    }

    @Test
    void hasNothingOnStdin() throws Exception {
        assertEquals(
                new HostCommand.Outcome(0, "", "", false), shell("cat", LONG).run());
    }

    @Test
    void keepsTheFirstMebibyteOfEachStreamAndReadsOn() throws Exception {
        HostCommand.Outcome outcome = shell(
                        "head -c 5000000 /dev/zero | tr '\\0' a; head -c 5000000 /dev/zero | tr '\\0' b >&2", LONG)
                .run();
        assertEquals("a".repeat(1 << 20), outcome.stdout());
        assertEquals("b".repeat(1 << 20), outcome.stderr());
        assertTrue(outcome.succeeded());
    }

    @Test
    void killsTheWholeTreeAtTheTimeout() throws Exception {
        HostCommand.Outcome outcome = shell("(sleep 300 & echo $!; wait) & wait", Duration.ofSeconds(1))
                .run();
        assertTrue(outcome.timedOut());
        assertFalse(outcome.succeeded());
        awaitEnd(outcome.stdout());
    }

    @Test
    void killsTheWholeTreeOnInterrupt() throws Exception {
        CountDownLatch interrupted = new CountDownLatch(1);
        Thread caller = new Thread(() -> {
            try {
                shell("sleep 300 & echo $! > pid.tmp; mv pid.tmp pid; wait", LONG)
                        .run();
            } catch (InterruptedException e) {
                interrupted.countDown();
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        });
        caller.start();
        while (!Files.exists(folder.resolve("pid"))) {
            Thread.sleep(20);
        }
        caller.interrupt();
        interrupted.await();
        awaitEnd(Files.readString(folder.resolve("pid")));
    }

    @Test
    void doesNotWaitForAProcessThatWasLeftBehind() throws Exception {
        HostCommand.Outcome outcome = shell("sleep 300 & echo $!", LONG).run();
        long pid = Long.parseLong(outcome.stdout().strip());
        ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
        assertTrue(outcome.succeeded());
        awaitEnd(outcome.stdout());
    }

    @Test
    void handsOnLinesOfStderr() throws Exception {
        List<String> lines = new ArrayList<>();
        shell("echo one >&2; echo; printf 'two\\rthree\\n' >&2", LONG).run(lines::add);
        assertEquals(List.of("one", "two", "three"), lines);
    }

    @Test
    void aProgramThatIsNotThereIsAnIoException() {
        HostCommand command = new HostCommand(List.of("/nonexistent/program"), Map.of(), folder, LONG);
        IOException e = assertThrows(IOException.class, command::run);
        assertTrue(e.getMessage().contains("/nonexistent/program"), e.getMessage());
    }

    private static void awaitEnd(String pid) throws Exception {
        ProcessHandle.of(Long.parseLong(pid.strip()))
                .ifPresent(process -> process.onExit().join());
    }
}
