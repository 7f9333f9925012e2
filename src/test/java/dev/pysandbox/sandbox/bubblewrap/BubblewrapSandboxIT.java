package dev.pysandbox.sandbox.bubblewrap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.pysandbox.api.Limits;
import dev.pysandbox.api.Network;
import dev.pysandbox.egress.EgressPolicy;
import dev.pysandbox.sandbox.Job;
import dev.pysandbox.sandbox.Job.Priority;
import dev.pysandbox.sandbox.RefusedException;
import dev.pysandbox.sandbox.Sandbox;
import dev.pysandbox.sandbox.SandboxContract;
import dev.pysandbox.sandbox.SandboxedProcess;
import dev.pysandbox.sandbox.Volume;
import dev.pysandbox.sandbox.local.HostSystem;
import dev.pysandbox.sandbox.local.RuntimeFolder;
import dev.pysandbox.support.ByteSize;
import dev.pysandbox.support.Spawner;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class BubblewrapSandboxIT extends SandboxContract.Isolating {
    @Override
    protected Sandbox create(Spawner spawner, RuntimeFolder runtime) throws RefusedException {
        return new BubblewrapProvider(spawner, runtime, System.getenv()).open(message -> {});
    }

    @Test
    void isAnOrdinaryUserToTheKernelEvenForRoot() throws Exception {
        Object self = Files.getAttribute(Path.of("/proc/self"), "unix:uid");
        try (SandboxedProcess process = sandbox.start(job("echo started; exec sleep 4242.4242", Map.of(), List.of()))) {
            assertEquals('s', process.stdout().read());
            List<Object> owners = new ArrayList<>();
            for (ProcessHandle each : ProcessHandle.allProcesses().toList()) {
                if (each.info().commandLine().orElse("").endsWith("sleep 4242.4242")) {
                    owners.add(Files.getAttribute(Path.of("/proc/" + each.pid()), "unix:uid"));
                }
            }
            assertEquals(
                    List.of(self.equals(0) ? 60700 : self),
                    owners.stream().distinct().toList());
        }
    }

    @Test
    void keepsItsOptionsNoLongerThanItTakesToStart() throws Exception {
        try (SandboxedProcess process = sandbox.start(job("ls /proc/self/fd; cat", Map.of(), List.of()))) {
            assertEquals("0\n1\n2\n3\n", new String(process.stdout().readNBytes(8), StandardCharsets.UTF_8));
            assertEquals(List.of(), optionFiles());
        }
        sandbox.start(job("sleep 60", Map.of(), List.of())).close();
        assertEquals(List.of(), optionFiles(), "also of one that is ended before it has begun");
    }

    private List<Path> optionFiles() throws IOException {
        try (Stream<Path> files = Files.list(runtime.path())) {
            return files.filter(file -> file.getFileName().toString().startsWith("options"))
                    .toList();
        }
    }

    @Test
    void allowsNoFurtherUserNamespaces() throws Exception {
        assertTrue(run("unshare --user true").exitCode() != 0);
    }

    @Test
    void hidesTheFirstProcess() throws Exception {
        Outcome outcome = run("sh -c 'ls -A /proc/1; cat /proc/1/environ /proc/1/mem'; true");
        assertEquals("", outcome.stdout());
    }

    @Test
    void reachesFoldersThatOnlyTheServerCan() throws Exception {
        Path locked = Files.createDirectory(temporary.resolve("locked"));
        Path folder = Files.createDirectories(locked.resolve("deep/folder"));
        Files.writeString(folder.resolve("file"), "reached");
        locked.toFile().setExecutable(false, false);
        locked.toFile().setExecutable(true, true);
        Volume mount = Volume.Content.of("folder", folder, "/data/folder");
        assertEquals(
                "reached",
                run("cat /data/folder/file", Map.of(), List.of(mount)).stdout());
    }

    @Test
    void filtersSystemCalls() throws Exception {
        assertEquals("Seccomp:\t2\n", run("grep Seccomp: /proc/self/status").stdout());
        assertTrue(run("unshare --uts true").stderr().contains("Operation not permitted"));
        assertNotEquals(0, run("keyctl show || ipcmk -M 4096").exitCode());
    }

    @Test
    void limitsWhatRunsBeforeTheSupervisorToo() throws Exception {
        assertEquals("1024\n0\n", run("ulimit -n; ulimit -c").stdout());
        assertEquals(
                "",
                run("for i in $(seq 250); do sleep 2 & done; echo all of them run")
                        .stdout());
    }

    @Test
    void tellsThatMemoryRanOutWhereTheKernelCountsIt() throws Exception {
        assumeTrue(HostSystem.runsAsRoot());
        assumeControlGroups();
        Limits small = new Limits(ByteSize.parse("32m"), 16, OptionalDouble.of(1), 64, ByteSize.parse("512m"));
        Job greedy = new Job(
                List.of("/bin/sh", "-c", "dd if=/dev/zero of=/tmp/big bs=1M count=200; exit 3"),
                List.of(),
                Map.of(),
                small,
                Network.NONE,
                EgressPolicy.only(List.of()));
        SandboxedProcess process = sandbox.start(greedy);
        assertNotEquals(0, process.waitFor());
        process.close();
        assertTrue(process.memoryCount().outOfMemory());
        assertTrue(process.memoryCount().peak().orElseThrow().bytes() > 32 << 20);
        assertNoControlGroupIsLeft();
    }

    @Test
    void removesItsControlGroupsAlsoWhenInterrupted() throws Exception {
        assumeTrue(HostSystem.runsAsRoot());
        assumeControlGroups();
        try (RuntimeFolder runtime = RuntimeFolder.create()) {
            Cgroup group = Cgroups.find(runtime)
                    .create(Limits.DEFAULT, Priority.NORMAL)
                    .orElseThrow();
            Process member = new ProcessBuilder("sleep", "60").start();
            for (Path file : group.joinFiles()) {
                Files.writeString(file, Long.toString(member.pid()));
            }
            Thread.currentThread().interrupt();
            group.remove();
            assertTrue(Thread.interrupted());
            member.waitFor();
        }
        assertNoControlGroupIsLeft();
    }

    @Test
    void raisesTheShareOfAJobThatWasStartedAtLowPriority() throws Exception {
        assumeTrue(HostSystem.runsAsRoot());
        assumeControlGroups();
        assertTrue(sandbox.canRaisePriority());
        Job job = new Job(
                List.of("/bin/cat"),
                List.of(),
                Map.of(),
                Limits.DEFAULT,
                Network.NONE,
                EgressPolicy.only(List.of()),
                Priority.LOW);
        try (SandboxedProcess process = sandbox.start(job)) {
            assertEquals(List.of(0.25), sharesOfNormal());
            process.raisePriority();
            assertEquals(List.of(1.0), sharesOfNormal());
        }
    }

    /** Returns the processor shares of this server's control groups; 1 is normal. */
    private static List<Double> sharesOfNormal() throws IOException {
        List<Double> shares = new ArrayList<>();
        for (Path parent : CgroupHierarchies.current().parents()) {
            try (Stream<Path> groups = Files.list(parent)) {
                String own = "." + ProcessHandle.current().pid() + ".";
                for (Path group :
                        groups.filter(each -> each.toString().contains(own)).toList()) {
                    Path first = group.resolve("cpu.shares");
                    Path second = group.resolve("cpu.weight");
                    if (Files.exists(first)) {
                        shares.add(Integer.parseInt(Files.readString(first).strip()) / 1024.0);
                    } else if (Files.exists(second)) {
                        shares.add(Integer.parseInt(Files.readString(second).strip()) / 100.0);
                    }
                }
            }
        }
        return shares;
    }

    private static void assumeControlGroups() {
        boolean counted = !CgroupHierarchies.current().parents().isEmpty();
        assertTrue(counted || !"true".equals(System.getenv("CI")), "no control group, and this is a CI run");
        assumeTrue(counted);
    }

    private static void assertNoControlGroupIsLeft() throws IOException {
        for (Path parent : CgroupHierarchies.current().parents()) {
            try (Stream<Path> groups = Files.list(parent)) {
                String own = "." + ProcessHandle.current().pid() + ".";
                assertEquals(
                        List.of(),
                        groups.filter(each -> each.toString().contains(own)).toList());
            }
        }
    }

    @Test
    void isNotOutOfMemoryWithoutCause() throws Exception {
        try (SandboxedProcess process = sandbox.start(job("exit 3", Map.of(), List.of()))) {
            assertEquals(3, process.waitFor());
            assertFalse(process.memoryCount().outOfMemory());
        }
    }
}
