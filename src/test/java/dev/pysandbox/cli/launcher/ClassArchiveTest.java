package dev.pysandbox.cli.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClassArchiveTest {
    @TempDir
    Path cache;

    @Test
    void allArchivesAreDeletedAndNothingElse() throws IOException {
        Path folder = Files.createDirectory(cache.resolve("archives"));
        for (String end : List.of(".jsa", ".jsa.properties", ".jsa.part")) {
            Files.createFile(folder.resolve(UUID.randomUUID() + end));
        }
        Files.createFile(folder.resolve("all"));
        Path photos = Files.createFile(folder.resolve("photos.zip"));
        ClassArchive.deleteAll(cache);
        try (var left = Files.list(folder)) {
            assertEquals(List.of(photos), left.toList());
        }
        Files.delete(photos);
        ClassArchive.deleteAll(cache);
        assertFalse(Files.exists(folder));
        ClassArchive.deleteAll(cache);
    }
}
