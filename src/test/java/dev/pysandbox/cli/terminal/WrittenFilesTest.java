package dev.pysandbox.cli.terminal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pysandbox.api.ProducedFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WrittenFilesTest {
    @TempDir
    private Path root;

    private Path out;

    @BeforeEach
    void createFolder() throws IOException {
        out = Files.createDirectory(root.resolve("out")).toRealPath();
    }

    @Test
    void aFileOutsideOfTheWorkingFolderIsWrittenUnderItsPath() throws IOException {
        assertEquals(List.of("written: " + out.resolve("tmp/x.csv")), move("/tmp/x.csv"));
        assertEquals("content", Files.readString(out.resolve("tmp/x.csv")));
    }

    @ParameterizedTest
    @ValueSource(strings = {".bashrc", "a/.git/config", "/home/user/.profile", "/.x"})
    void hiddenFilesAreNotWritten(String name) throws IOException {
        assertEquals(List.of("not written: " + name + " (hidden)"), move(name));
    }

    @ParameterizedTest
    @ValueSource(strings = {"../x", "/../x", "//x", "a/../../x", "/", "."})
    void noNameLeadsOutOfTheFolder(String name) throws IOException {
        assertEquals(List.of("not written: " + name + " (its name leads out of the folder)"), move(name));
        assertTrue(Files.notExists(root.resolve("x")));
    }

    @Test
    void linksAreNotFollowed() throws IOException {
        Path elsewhere = Files.createDirectory(root.resolve("elsewhere"));
        Files.createSymbolicLink(out.resolve("tmp"), elsewhere);
        assertEquals(List.of("not written: /tmp/x.csv (another kind of file has this name)"), move("/tmp/x.csv"));
        assertTrue(Files.notExists(elsewhere.resolve("x.csv")));
        move("/tmp/a/b/x.csv");
        assertTrue(Files.notExists(elsewhere.resolve("a")));
    }

    @Test
    void aNameWithControlCharactersIsRefused() throws IOException {
        String name = "a\u001b]0;x\u0007.txt";
        assertEquals(List.of("not written: " + name + " (its name has control characters)"), move(name));
        assertTrue(Files.notExists(out.resolve(name)));
    }

    @Test
    void aFileHasItsFinalPathOrNone() throws IOException {
        WrittenFiles written = WrittenFiles.move(List.of(file("/tmp/x.csv")), out);
        assertEquals(
                Optional.of(out.resolve("tmp/x.csv")), written.files().get(0).kept());
        WrittenFiles refused = WrittenFiles.move(List.of(file(".x")), out);
        assertEquals(Optional.empty(), refused.files().get(0).kept());
    }

    private List<String> move(String name) throws IOException {
        return WrittenFiles.move(List.of(file(name)), out).lines();
    }

    private ProducedFile file(String name) throws IOException {
        Path kept = Files.writeString(root.resolve("kept"), "content");
        return new ProducedFile(name, "text/plain", 7, Optional.empty(), new byte[0], Optional.of(kept));
    }
}
