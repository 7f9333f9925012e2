package dev.pysandbox.sandbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pysandbox.api.Limits;
import dev.pysandbox.api.Network;
import dev.pysandbox.egress.EgressPolicy;
import dev.pysandbox.sandbox.local.RuntimeFolder;
import dev.pysandbox.support.Spawner;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The contract of {@link Sandbox}, which every backend must pass. */
public abstract class SandboxContract {
    private static final AtomicInteger MARKS = new AtomicInteger((int) (System.nanoTime() % 1_000_000) * 1000);

    @TempDir
    protected Path temporary;

    protected RuntimeFolder runtime;
    protected Sandbox sandbox;

    /** Opens the sandbox. The test fails if the backend does not work. */
    protected abstract Sandbox create(Spawner spawner, RuntimeFolder runtime) throws Exception;

    /** The outcome of a short job. */
    public record Outcome(int exitCode, String stdout, String stderr) {}

    @BeforeEach
    void open() throws Exception {
        runtime = RuntimeFolder.create();
        sandbox = create(new Spawner(), runtime);
    }

    @AfterEach
    void leavesNothingBehind() {
        sandbox.close();
        runtime.close();
        assertFalse(Files.exists(runtime.path()), "the runtime folder is gone");
    }

    @Test
    void givesItsOutputAndExitCode() throws Exception {
        Outcome outcome = run("echo out; echo err >&2; exit 7");
        assertEquals(new Outcome(7, "out\n", "err\n"), outcome);
    }

    @Test
    void readsItsInput() throws Exception {
        try (SandboxedProcess process = sandbox.start(job("cat", Map.of(), List.of()))) {
            process.stdin().write("over the wall".getBytes(StandardCharsets.UTF_8));
            process.stdin().close();
            assertEquals("over the wall", new String(process.stdout().readAllBytes(), StandardCharsets.UTF_8));
            assertEquals(0, process.waitFor());
        }
    }

    @Test
    void seesTheJobsVariablesAndNoOthers() throws Exception {
        Outcome outcome = run("env", Map.of("GIVEN", "yes it is"), List.of());
        assertTrue(outcome.stdout().contains("GIVEN=yes it is\n"), outcome.stdout());
        List<String> names = outcome.stdout()
                .lines()
                .map(line -> line.replaceFirst("=.*", ""))
                .filter(name -> !List.of("GIVEN", "HOME", "TMPDIR", "PWD", "SHLVL", "_", "OLDPWD")
                        .contains(name))
                .toList();
        assertEquals(List.of(), names);
    }

    @Test
    void handsVariablesOverAsTheyAreAndOnNoCommandLine() throws Exception {
        String odd = "secret-" + MARKS.incrementAndGet() + " 'two\nlines\n' \"$HOME\" `id` \\n \\ end ü\n\n";
        Map<String, String> variables = Map.of("ODD", odd, "EMPTY", "", "PATH", "/usr/bin:/bin");
        String script = "printf '[%s]' \"$ODD\" \"${EMPTY-unset}\"; cat";
        try (SandboxedProcess process = sandbox.start(job(script, variables, List.of()))) {
            String expected = "[" + odd + "][]";
            byte[] said = process.stdout().readNBytes(expected.getBytes(StandardCharsets.UTF_8).length);
            assertEquals(expected, new String(said, StandardCharsets.UTF_8));
            assertEquals(List.of(), commandLinesWith(odd.substring(0, odd.indexOf(' '))));
        }
    }

    private static List<String> commandLinesWith(String text) throws IOException {
        List<String> found = new ArrayList<>();
        try (DirectoryStream<Path> processes = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
            for (Path process : processes) {
                String line = readIfThere(process.resolve("cmdline"));
                if (line.contains(text)) {
                    found.add(line);
                }
            }
        }
        return found;
    }

    private static String readIfThere(Path file) {
        try {
            return Files.readString(file, StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            return ""; // the process has ended
        }
    }

    @Test
    void hasEmptyWritableFoldersOfItsOwn() throws Exception {
        Outcome outcome =
                run("for d in . \"$HOME\" \"$TMPDIR\"; do ls -A \"$d\"; echo x > \"$d/file\" && cat \"$d/file\"; done");
        assertEquals(new Outcome(0, "x\nx\nx\n", ""), outcome);
        assertEquals(
                "", run("ls -A . \"$HOME\" \"$TMPDIR\" | grep file").stdout(), "nothing is left of an earlier job");
    }

    @Test
    void mountsWhereItSays() throws Exception {
        Path folder = readable(Files.createDirectory(temporary.resolve("with space ü")));
        readable(Files.writeString(folder.resolve("file"), "content"));
        Volume mount = Volume.Content.of("shown", folder, "/data/shown");
        assertEquals(
                "content",
                run("cat \"" + sandbox.pathOf(mount) + "/file\"", Map.of(), List.of(mount))
                        .stdout());
    }

    @Test
    void writesToAWritableMount() throws Exception {
        Path folder = readable(Files.createDirectory(temporary.resolve("shared")));
        sandbox.allowWriting(folder);
        Volume mount = new Volume.Workspace(folder, Path.of("/data/shared"), Path.of(""));
        assertEquals(
                0,
                run("echo new > " + sandbox.pathOf(mount) + "/file", Map.of(), List.of(mount))
                        .exitCode());
        assertEquals("new\n", Files.readString(folder.resolve("file")));
    }

    @Test
    void closingEndsEverythingThatWasStarted() throws Exception {
        String mark = "31" + MARKS.incrementAndGet();
        String script = "trap '' TERM HUP INT; (setsid sleep " + mark + " &) ; (trap '' TERM; sleep " + mark
                + ") & echo started; sleep " + mark;
        SandboxedProcess process = sandbox.start(job(script, Map.of(), List.of()));
        assertEquals('s', process.stdout().read());
        process.close();
        process.close();
        assertSoon(() -> survivors(mark).isEmpty(), () -> "still there: " + survivors(mark));
    }

    @Test
    void failsToStartWhatIsNotThere() throws Exception {
        Job job = new Job(
                List.of("/no/such/program"),
                List.of(),
                Map.of(),
                Limits.DEFAULT,
                Network.NONE,
                EgressPolicy.only(List.of()));
        try (SandboxedProcess process = sandbox.start(job)) {
            assertNotEquals(0, process.waitFor());
        } catch (IOException e) {
            assertTrue(String.valueOf(e.getMessage()).contains("/no/such/program"), e.getMessage());
        }
    }

    protected Outcome run(String script) throws Exception {
        return run(script, Map.of(), List.of());
    }

    protected Outcome run(String script, Map<String, String> variables, List<Volume> mounts) throws Exception {
        return run(job(script, variables, mounts));
    }

    protected Outcome run(Job job) throws Exception {
        try (SandboxedProcess process = sandbox.start(job)) {
            process.stdin().close();
            String stdout = new String(process.stdout().readAllBytes(), StandardCharsets.UTF_8);
            String stderr = new String(process.stderr().readAllBytes(), StandardCharsets.UTF_8);
            return new Outcome(process.waitFor(), stdout, stderr);
        }
    }

    public static Job job(String script, Map<String, String> variables, List<Volume> mounts) {
        return job(script, variables, mounts, Network.NONE);
    }

    public static Job job(String script, Map<String, String> variables, List<Volume> mounts, Network network) {
        return new Job(
                List.of("/bin/sh", "-c", script),
                mounts,
                variables,
                Limits.DEFAULT,
                network,
                EgressPolicy.only(List.of()));
    }

    /** Makes a path readable for jobs, if the backend needs that: temporary folders are private. */
    protected Path readable(Path path) throws IOException {
        return path;
    }

    /** Returns the user id that a job sees. */
    protected String ownUser() throws IOException {
        return "1000";
    }

    protected static List<String> survivors(String mark) {
        return ProcessHandle.allProcesses()
                .filter(ProcessHandle::isAlive)
                .map(handle -> handle.info().commandLine().orElse(""))
                .filter(line -> line.endsWith("sleep " + mark))
                .toList();
    }

    protected static void assertSoon(BooleanSupplier condition, Supplier<String> otherwise)
            throws InterruptedException {
        long deadline = System.nanoTime() + Duration.ofSeconds(10).toNanos();
        while (!condition.getAsBoolean()) {
            assertTrue(System.nanoTime() < deadline, otherwise);
            Thread.sleep(20);
        }
    }

    /** The additional contract of sandboxes that isolate. */
    public abstract static class Isolating extends SandboxContract {
        @Test
        void isAWall() {
            assertTrue(sandbox.capabilities().isolates());
        }

        @Test
        void seesNoFilesOfTheHost() throws Exception {
            Path secret = Files.writeString(temporary.resolve("secret"), "secret");
            Outcome outcome =
                    run("cat " + secret + " " + System.getProperty("user.home") + "/.profile; cat /etc/shadow");
            assertEquals("", outcome.stdout());
            assertNotEquals(0, outcome.exitCode());
        }

        @Test
        void seesOnlyItsOwnUser() throws Exception {
            assertEquals("root\nuser\n", run("cut -d: -f1 /etc/passwd").stdout());
            assertEquals(ownUser() + "\n", run("id -u").stdout());
        }

        @Test
        void writesNowhereElse() throws Exception {
            String folders = "/ /usr /usr/bin /etc /dev /proc /proc/sys/kernel /run /data /home";
            Outcome outcome = run("for d in " + folders + "; do echo x > $d/zz-file; mkdir $d/zz-folder; done; true");
            assertFalse(run("ls " + folders).stdout().contains("zz-"), outcome.stderr());
            String writable = "find / -xdev -writable -not -path '/proc*' -not -type l 2>/dev/null | sort";
            assertEquals(
                    run("printf '%s\\n' \"$PWD\" \"$HOME\" \"$TMPDIR\" | sort").stdout(),
                    run(writable).stdout(),
                    "its own folders and no others");
        }

        @Test
        void cantWriteToAReadOnlyMount() throws Exception {
            Path folder = readable(Files.createDirectory(temporary.resolve("kept")));
            Files.writeString(folder.resolve("file"), "kept");
            sandbox.allowWriting(folder);
            Outcome outcome = run(
                    "echo x > /data/kept/file; rm -f /data/kept/file; touch /data/kept/new",
                    Map.of(),
                    List.of(Volume.Content.of("kept", folder, "/data/kept")));
            assertNotEquals(0, outcome.exitCode());
            assertEquals("kept", Files.readString(folder.resolve("file")));
            assertFalse(Files.exists(folder.resolve("new")));
        }

        @Test
        void seesNoProcessesOfTheHost() throws Exception {
            List<String> pids =
                    run("ls /proc | grep '^[0-9]*$'").stdout().lines().toList();
            assertTrue(pids.size() < 6, "processes: " + pids);
        }

        @Test
        void hasNoCapabilities() throws Exception {
            String status = run("grep -E 'Cap(Inh|Prm|Eff|Bnd|Amb)|NoNewPrivs' /proc/self/status")
                    .stdout();
            assertEquals(6, status.lines().count(), status);
            for (String line : status.lines().toList()) {
                assertTrue(line.matches("Cap...:\\s*0+|NoNewPrivs:\\s*1"), line);
            }
        }

        @Test
        void hasNoNetworkUnlessGiven() throws Exception {
            assertEquals(
                    "lo:\n", run("tail -n +3 /proc/net/dev | awk '{print $1}'").stdout());
            Job shared = job("tail -n +3 /proc/net/dev | wc -l", Map.of(), List.of(), Network.HOST);
            long interfaces = Files.readAllLines(Path.of("/proc/net/dev")).size() - 2L;
            assertEquals(interfaces + "\n", run(shared).stdout());
        }

        @Test
        void hidesTheNameOfTheHost() throws Exception {
            assertEquals("sandbox\n", run("uname -n").stdout());
        }

        @Test
        void givesFoldersNoMoreThanTheirSize() throws Exception {
            Outcome outcome = run("dd if=/dev/zero of=big bs=1M count=600 2>/dev/null; stat -c %s big");
            assertTrue(
                    Long.parseLong(outcome.stdout().strip())
                            <= Limits.DEFAULT.scratch().bytes(),
                    outcome.stdout());
        }

        @Test
        void refusesRelativeMounts() {
            assertThrows(IllegalArgumentException.class, () -> Volume.Content.of("x", Path.of("relative"), "/data/x"));
        }
    }
}
