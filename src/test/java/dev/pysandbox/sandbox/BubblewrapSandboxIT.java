package dev.pysandbox.sandbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pysandbox.process.Spawner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class BubblewrapSandboxIT extends SandboxContract.Isolating {
    @Override
    Sandbox create(Spawner spawner, RuntimeFolder runtime) throws IOException {
        return BubblewrapSandbox.create(spawner, runtime, System.getenv());
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
        Mount mount = Mount.readOnly(folder, "/data/folder");
        assertEquals(
                "reached",
                run("cat /data/folder/file", Map.of(), List.of(mount)).stdout());
    }
}
