package dev.pysandbox.sandbox.remote;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.pysandbox.sandbox.Sandbox;
import dev.pysandbox.sandbox.SandboxContract;
import dev.pysandbox.sandbox.Volume;
import dev.pysandbox.sandbox.bubblewrap.BubblewrapProvider;
import dev.pysandbox.sandbox.local.RuntimeFolder;
import dev.pysandbox.support.Spawner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tests the contract with a backend that shares no files with the server. */
class RemoteSandboxIT extends SandboxContract.Isolating {
    private RemoteMachine machine;

    @Override
    protected Sandbox create(Spawner spawner, RuntimeFolder runtime) throws Exception {
        Sandbox local = new BubblewrapProvider(spawner, runtime, System.getenv()).open(message -> {});
        machine = new RemoteMachine(local, Files.createDirectory(runtime.path().resolve("disk")));
        return new RemoteSandbox(machine, Optional.empty());
    }

    @Test
    void sendsContentOnce() throws Exception {
        Path folder = Files.createDirectory(temporary.resolve("content"));
        Files.writeString(folder.resolve("file"), "text");
        Volume volume = Volume.Content.of("key", folder, "/data/content");
        for (int i = 0; i < 3; i++) {
            assertEquals(
                    "text",
                    run("cat /data/content/file", Map.of(), List.of(volume)).stdout());
        }
        assertEquals(1, machine.contentsReceived());
    }

    @Test
    void bringsBackTheResultAndNothingElse() throws Exception {
        Path folder = Files.createDirectory(temporary.resolve("stage"));
        Path result = Files.createDirectory(folder.resolve("result"));
        Files.writeString(result.resolve("before"), "there");
        Volume volume = new Volume.Workspace(folder, Path.of("/data/stage"), Path.of("result"));
        String script =
                "cat /data/stage/result/before; echo new > /data/stage/result/after; echo x > /data/stage/cache";
        assertEquals("there", run(script, Map.of(), List.of(volume)).stdout());
        assertEquals("new\n", Files.readString(result.resolve("after")));
        assertEquals(false, Files.exists(folder.resolve("cache")));
    }

    @Test
    void refusesFoldersOfTheServersMachine() {
        Volume volume = new Volume.HostFolder(temporary, Path.of("/data/x"), false);
        assertThrows(IOException.class, () -> run("true", Map.of(), List.of(volume)));
    }
}
