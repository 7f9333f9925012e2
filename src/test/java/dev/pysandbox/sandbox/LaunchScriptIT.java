package dev.pysandbox.sandbox;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.pysandbox.process.Command;
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
        Path door = folder.resolve("door");
        List<String> argv = LaunchScript.wrap(
                opened,
                List.of(door, Path.of("/no/such/door")),
                List.of("/bin/sh", "-c", "cat <&9; echo \"$1\"", "--", "x y"));
        Command.Outcome outcome = new Command(argv, Map.of(), folder, Duration.ofSeconds(20)).run();
        assertEquals("0\n", Files.readString(door), "to the kernel, 0 is whoever writes it");
        assertEquals("openedx y\n", outcome.stdout());
        assertEquals("", outcome.stderr());
    }
}
