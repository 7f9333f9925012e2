package dev.pysandbox;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The script that a command is about: given as text, in a file, or on stdin. */
final class ScriptArgument {
    private ScriptArgument() {}

    static String read(@Nullable String code, @Nullable Path file, InputStream stdin) throws IOException {
        if (code != null && file != null) {
            throw new IllegalArgumentException("give either CODE or -f FILE, not both");
        }
        if (file != null) {
            try {
                return Files.readString(file);
            } catch (NoSuchFileException e) {
                throw new IllegalArgumentException("-f must name a file that exists, got '" + file + "'", e);
            }
        }
        if (code == null) {
            throw new IllegalArgumentException("give the script as CODE, as -f FILE, or - to read it from stdin");
        }
        return code.equals("-") ? new String(stdin.readAllBytes(), StandardCharsets.UTF_8) : code;
    }
}
