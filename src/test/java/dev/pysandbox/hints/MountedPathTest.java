package dev.pysandbox.hints;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.pysandbox.api.Config;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MountedPathTest {
    @TempDir
    Path temp = Path.of("");

    private Path data = Path.of("");

    @BeforeEach
    void makeFiles() throws Exception {
        data = Files.createDirectories(temp.resolve("data"));
        Files.createFile(data.resolve("one.csv"));
        Files.createFile(temp.resolve("outside.csv"));
        Files.createSymbolicLink(data.resolve("link.csv"), temp.resolve("outside.csv"));
    }

    private Optional<String> inSandbox(String name) {
        return new MountedPath(new Config.DataFolder(data, false), name).inSandbox();
    }

    @ParameterizedTest
    @ValueSource(strings = {"one.csv", "./one.csv", "data/one.csv", "/data/one.csv", "./data/one.csv"})
    void findsAFileOfTheFolder(String name) {
        assertEquals(Optional.of("/data/data/one.csv"), inSandbox(name));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"two.csv", "data/two.csv", "link.csv", "../outside.csv", "data/../../outside.csv", "/etc/passwd"
            })
    void saysNothingOfOtherFiles(String name) {
        assertEquals(Optional.empty(), inSandbox(name));
    }

    @Test
    void findsTheFolderItself() {
        assertEquals(Optional.of("/data/data"), inSandbox("data"));
    }
}
