package dev.pysandbox.sandbox.bubblewrap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pysandbox.support.HostCommand;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LaunchScriptIT {
    @TempDir
    Path folder;

    @Test
    void joinsOpensAndBecomesTheCommand() throws Exception {
        Path opened = Files.writeString(folder.resolve("with space"), "opened");
        Path options = Files.writeString(folder.resolve("op tions"), "options");
        Path namespaceFile = folder.resolve("namespaceFile");
        List<String> command = List.of("/bin/sh", "-c", "cat <&9; cat <&8; echo \"$1\"; ulimit -n", "--", "x y");
        List<String> argv = LaunchScript.wrap(opened, options, 77, List.of(namespaceFile), command);
        HostCommand.Outcome outcome = run(argv);
        assertEquals("0\n", Files.readString(namespaceFile), "0 means the writing process");
        assertEquals("openedoptionsx y\n77\n", outcome.stdout());
        assertEquals("", outcome.stderr());
    }

    @Test
    void runsNothingOutsideItsGroups() throws Exception {
        Path opened = Files.createFile(folder.resolve("file"));
        List<Path> doors = List.of(Path.of("/no/such/namespaceFile"));
        HostCommand.Outcome outcome = run(LaunchScript.wrap(opened, opened, 77, doors, List.of("/bin/echo", "ran")));
        assertEquals(125, outcome.exitCode());
        assertEquals("", outcome.stdout());
        assertTrue(outcome.stderr().contains("/no/such/namespaceFile"), outcome.stderr());
    }

    private HostCommand.Outcome run(List<String> argv) throws Exception {
        return new HostCommand(argv, Map.of(), folder, Duration.ofSeconds(20)).run();
    }
}
