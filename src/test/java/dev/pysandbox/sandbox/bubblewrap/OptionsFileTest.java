package dev.pysandbox.sandbox.bubblewrap;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OptionsFileTest {
    @TempDir
    Path folder;

    @Test
    void holdsEachArgumentAsItIsForItsOwnerAlone() throws Exception {
        OptionsFile file = new OptionsFile(folder.resolve("options"));
        file.write(List.of("--setenv", "A", "", "two\nlines 'and' \"quotes\""));
        byte[] expected = "--setenv\0A\0\0two\nlines 'and' \"quotes\"\0".getBytes(StandardCharsets.UTF_8);
        assertArrayEquals(expected, Files.readAllBytes(file.path()));
        assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file.path())));
    }

    @Test
    void refusesANulWhichWouldAddAnOption() {
        List<String> arguments = List.of("--setenv", "A", "x\0--bind\0/\0/host");
        assertThrows(IOException.class, () -> OptionsFile.encode(arguments));
    }

    @Test
    void neverWritesToAFileThatIsThere() throws Exception {
        OptionsFile file = new OptionsFile(Files.createFile(folder.resolve("options")));
        assertThrows(IOException.class, () -> file.write(List.of("x")));
    }

    @Test
    void isRemovedAtTheFirstReadOfAnotherStream() throws Exception {
        OptionsFile file = new OptionsFile(folder.resolve("options"));
        for (byte[] said : List.of(new byte[0], new byte[] {1, 2})) {
            file.write(List.of("x"));
            try (FirstRead stream = new FirstRead(new ByteArrayInputStream(said), file::remove)) {
                assertArrayEquals(said, stream.readAllBytes());
                assertFalse(Files.exists(file.path()));
            }
        }
    }
}
