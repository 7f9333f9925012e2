package dev.pysandbox.environment;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** How a command is run when it must not get in the way of others. */
final class LowPriority {
    private static final Path NICE = Path.of("/usr/bin/nice");

    private LowPriority() {}

    static List<String> command(List<String> command) {
        if (!Files.isExecutable(NICE)) {
            return command;
        }
        List<String> gentle = new ArrayList<>(List.of(NICE.toString(), "-n", "19"));
        gentle.addAll(command);
        return gentle;
    }
}
