package dev.pysandbox.cli.launcher;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The command that starts this JAR with the Java that runs now.
 *
 * @param javaHome the folder of the Java
 */
public record JavaCommand(Path javaHome, Path jar) {
    /** Reduce the memory of the server and its time to start. */
    private static final List<String> FLAGS = List.of(
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-Xms8m",
            "-Xmx256m",
            "-XX:MinHeapFreeRatio=10",
            "-XX:MaxHeapFreeRatio=20",
            "-XX:-ShrinkHeapInSteps");

    /** Returns the command for this process; throws if its classes are not in a JAR. */
    public static JavaCommand current() {
        try {
            Path place = Path.of(JavaCommand.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
            if (Files.isRegularFile(place)) {
                return new JavaCommand(Path.of(System.getProperty("java.home", "")), place.toRealPath());
            }
        } catch (URISyntaxException | IOException e) {
            throw new IllegalStateException("the JAR was not found", e);
        }
        throw new IllegalArgumentException(
                "this command must be run from the JAR, because it needs the path of the JAR");
    }

    Path java() {
        return javaHome.resolve("bin").resolve("java");
    }

    /** Returns the Java program and its flags, with the archive if this Java can use one. */
    public List<String> program(ClassArchive archive) {
        List<String> command = new ArrayList<>();
        command.add(java().toString());
        command.addAll(FLAGS);
        command.addAll(archive.flags());
        return command;
    }

    /** Returns the Java program and the flags that make it write an archive when it ends. */
    List<String> programThatArchives(Path file) {
        List<String> command = new ArrayList<>();
        command.add(java().toString());
        command.addAll(FLAGS);
        command.addAll(List.of("-Xlog:disable", "-XX:ArchiveClassesAtExit=" + file));
        return command;
    }
}
