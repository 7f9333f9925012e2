package dev.pysandbox.support;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DiskCacheEntryTest {
    @TempDir
    Path folder;

    @Test
    void remembersUntilItExpires() {
        DiskCacheEntry memo = new DiskCacheEntry(folder.resolve("deep/memo.properties"));
        assertEquals(Optional.empty(), memo.recall());
        memo.remember(Map.of("path", "C:\\ä = #1"), Duration.ofDays(1));
        assertEquals(Optional.of("C:\\ä = #1"), memo.recall().map(values -> values.get("path")));
        memo.remember(Map.of("path", "x"), Duration.ofDays(-1));
        assertEquals(Optional.empty(), memo.recall());
    }

    @Test
    void whatAClockThatWasAheadWroteIsForgotten() throws Exception {
        Path file = folder.resolve("memo");
        long now = System.currentTimeMillis();
        long later = now + Duration.ofDays(2).toMillis();
        Files.writeString(file, "expires=" + later + "\nwritten=" + now + "\npath=x");
        assertEquals(Optional.of("x"), new DiskCacheEntry(file).recall().map(values -> values.get("path")));
        Files.writeString(file, "expires=" + later + "\nwritten=" + (later - 1) + "\npath=x");
        assertEquals(Optional.empty(), new DiskCacheEntry(file).recall());
    }

    @Test
    void garbageIsForgotten() throws Exception {
        Path file = Files.write(folder.resolve("memo"), new byte[] {'a', '=', '\\', 'u', 'x', (byte) 0xff});
        assertEquals(Optional.empty(), new DiskCacheEntry(file).recall());
        Files.writeString(file, "expires=soon");
        assertEquals(Optional.empty(), new DiskCacheEntry(file).recall());
    }

    @Test
    void aFolderThatCantBeMadeIsNoError() throws Exception {
        Path file = Files.writeString(folder.resolve("file"), "");
        new DiskCacheEntry(file.resolve("memo")).remember(Map.of(), Duration.ofDays(1));
        assertEquals("", Files.readString(file));
    }

    @Test
    void stampsChangeWithTheFile() throws Exception {
        Path file = folder.resolve("file");
        assertEquals("", DiskCacheEntry.stamp(file));
        String before = DiskCacheEntry.stamp(Files.writeString(file, "1"));
        assertNotEquals(before, DiskCacheEntry.stamp(Files.writeString(file, "12")));
    }
}
