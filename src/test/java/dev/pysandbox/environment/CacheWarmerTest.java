package dev.pysandbox.environment;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class CacheWarmerTest {
    @Test
    void theListIsTheOneThatPeopleEdit() throws IOException {
        assertEquals(
                Files.readAllLines(Path.of("profiles/warmup_packages.txt")).stream()
                        .sorted()
                        .toList(),
                CacheWarmer.packages());
    }
}
