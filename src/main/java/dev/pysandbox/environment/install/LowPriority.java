package dev.pysandbox.environment.install;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Runs a command with nice, if that is installed. */
public final class LowPriority {
    private static final Path NICE = Path.of("/usr/bin/nice");

    private LowPriority() {}

    public static List<String> command(List<String> command) {
        if (!Files.isExecutable(NICE)) {
            return command;
        }
        List<String> argv = new ArrayList<>(List.of(NICE.toString(), "-n", "19"));
        argv.addAll(command);
        return argv;
    }
}
