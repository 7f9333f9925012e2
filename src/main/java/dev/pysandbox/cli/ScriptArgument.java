package dev.pysandbox.cli;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The script of a command: text, file or stdin. */
final class ScriptArgument {
    private static final Pattern FILE_NAME = Pattern.compile("[\\w./~+-]{1,500}\\.pyw?");

    @Parameters(
            paramLabel = "CODE",
            arity = "0..1",
            description = "The script itself, a file NAME.py, or - to read it from stdin.")
    private @Nullable String code;

    @Option(
            names = {"-f", "--file"},
            paramLabel = "FILE",
            description = "Read the script from this file.")
    private @Nullable Path file;

    @Option(
            names = {"-d", "--dependency"},
            paramLabel = "DEP",
            description = "A dependency, such as rich==14.2.0; repeatable.")
    private List<String> dependencies = new ArrayList<>();

    /** Returns an argument that is the script itself. */
    static ScriptArgument of(String code) {
        ScriptArgument argument = new ScriptArgument();
        argument.code = code;
        return argument;
    }

    List<String> dependencies() {
        return dependencies;
    }

    String read(InputStream stdin) throws IOException {
        if (code != null && file != null) {
            throw new IllegalArgumentException("give either CODE or -f FILE, not both");
        }
        Path named = file != null ? file : fileIn(code);
        return named != null ? text(named) : textOf(code, stdin);
    }

    /** Returns the file that was given in place of code; a word with a dot and slashes is no useful script. */
    private static @Nullable Path fileIn(@Nullable String code) {
        if (code == null) {
            return null;
        }
        // A File can have any name.
        if (code.endsWith(".py") && !code.contains("\n") && new File(code).isFile()) {
            return Path.of(code);
        }
        if (!FILE_NAME.matcher(code).matches()) {
            return null;
        }
        Path path = Path.of(code);
        if (!Files.isRegularFile(path)) {
            throw new IllegalArgumentException(
                    "there is no file '" + code + "'; give the script as CODE, or an existing file as -f FILE");
        }
        return path;
    }

    private static String text(Path file) throws IOException {
        try {
            return Files.readString(file);
        } catch (NoSuchFileException e) {
            throw new IllegalArgumentException("'" + file + "' must be a file that exists", e);
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException("'" + file + "' must be a file with text in UTF-8", e);
        } catch (IOException e) {
            throw new IllegalArgumentException("'" + file + "' must be a file that can be read", e);
        }
    }

    private static String textOf(@Nullable String code, InputStream stdin) throws IOException {
        if (code == null) {
            throw new IllegalArgumentException("give the script as CODE, as -f FILE, or - to read it from stdin");
        }
        return code.equals("-") ? new String(stdin.readAllBytes(), StandardCharsets.UTF_8) : code;
    }
}
