package dev.pysandbox.cli.launcher;

import dev.pysandbox.support.BundledFile;
import dev.pysandbox.support.Folders;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.stream.Collectors;

/** The shell script {@code python-sandbox} that starts this JAR. */
public record Launcher(Path file) {
    private static final String NAME = "python-sandbox";

    /** The beginning of each launcher: no other file is replaced or deleted. */
    private static final String MARK = "#!/bin/sh\n# Starts python-sandbox. Written by its command install";

    public static Launcher in(Path folder) {
        return new Launcher(folder.toAbsolutePath().normalize().resolve(NAME));
    }

    /** Writes the script, also in place of an earlier one; throws if there is another file of its name. */
    public void write(JavaCommand command, ClassArchive archive) throws IOException {
        refuseOtherFile();
        List<String> program = command.program(archive);
        String text = BundledFile.text(Launcher.class, "launcher.sh")
                .replace("@JAR@", quoted(command.jar().toString()))
                .replace("@JAVA@", quoted(program.get(0)))
                .replace(
                        "@FLAGS@",
                        program.stream().skip(1).map(Launcher::quoted).collect(Collectors.joining(" \\\n    ")));
        Files.createDirectories(file.resolveSibling(""));
        Path fresh = Files.createTempFile(file.resolveSibling(""), "." + NAME, ".tmp");
        try {
            Files.writeString(fresh, text);
            Folders.setPermissions(fresh, "rwxr-xr-x");
            Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(fresh);
        }
    }

    /** Deletes the script; returns false if there is none. */
    public boolean delete() throws IOException {
        refuseOtherFile();
        return Files.deleteIfExists(file);
    }

    private void refuseOtherFile() throws IOException {
        boolean other = Files.isRegularFile(file)
                ? !Files.readString(file, StandardCharsets.ISO_8859_1).startsWith(MARK)
                : Files.exists(file);
        if (other) {
            throw new IllegalArgumentException(file + " is another program; nothing was changed");
        }
    }

    /** Quotes a word for the shell. */
    private static String quoted(String word) {
        return "'" + word.replace("'", "'\\''") + "'";
    }
}
