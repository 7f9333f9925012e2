package dev.pysandbox.environment;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.pysandbox.support.ByteSize;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EvictionPlanTest {
    private static final int BLOCK = 4096;

    @TempDir
    Path folder;

    private final List<EvictionPlan.Entry> entries = new ArrayList<>();

    @Test
    void leavesAloneWhatFits() throws IOException {
        add("a", 1, 2);
        add("b", 2, 2);
        assertEquals(List.of(), evict(4, Set.of()));
    }

    @Test
    void removesTheLeastRecentlyUsedUntilTheRestFits() throws IOException {
        add("newest", 9, 1);
        add("oldest", 1, 1);
        add("old", 2, 1);
        add("new", 3, 1);
        assertEquals(List.of("oldest", "old"), evict(2, Set.of()));
    }

    @Test
    void goesOnToTheNextWhereOneIsInUse() throws IOException {
        add("oldest", 1, 2);
        add("old", 2, 1);
        add("new", 3, 1);
        assertEquals(List.of("old"), evict(3, Set.of("oldest")));
    }

    @Test
    void countsAFileWithTwoNamesOnce() throws IOException {
        Path cache = add("cache", 9, 3);
        link(add("linked", 1, 0), cache);
        assertEquals(List.of(), evict(3, Set.of()));
    }

    @Test
    void knowsThatALinkedFileIsFreedWithItsLastName() throws IOException {
        Path cache = add("cache", 5, 2);
        link(add("linked", 1, 0), cache);
        add("apart", 2, 3);
        add("newest", 9, 3);
        assertEquals(List.of("linked", "apart"), evict(5, Set.of()));
    }

    @Test
    void takesTheCacheFirstWhenItAloneIsHalfOfAll() throws IOException {
        add("cache", 9, 6);
        add("oldest", 1, 4);
        add("new", 2, 4);
        assertEquals(List.of("cache"), evict(8, Set.of()));
    }

    @Test
    void aFolderThatCantBeCountedIsRemovedAloneOrNotAtAll() throws IOException {
        add("environment", 1, 1);
        Path deep = add("cache", 2, 0);
        for (int i = 0; i < 140; i++) {
            deep = Files.createDirectory(deep.resolve("d"));
        }
        assertEquals(List.of("cache"), evict(4, Set.of()));
        assertEquals(List.of(), evict(4, Set.of("cache")));
    }

    @Test
    void aUseInTheFutureCountsAsNone() {
        Instant now = Instant.ofEpochSecond(1_000_000);
        Instant soon = now.plusSeconds(60);
        assertEquals(soon, EvictionPlan.Entry.of(folder, soon, now).lastUse());
        assertEquals(
                Instant.EPOCH,
                EvictionPlan.Entry.of(folder, now.plusSeconds(10_000), now).lastUse());
    }

    private Path add(String name, int lastUse, int blocks) throws IOException {
        Path made = Files.createDirectory(folder.resolve(name));
        for (int i = 0; i < blocks; i++) {
            Files.write(made.resolve("file-" + i), new byte[BLOCK]);
        }
        entries.add(new EvictionPlan.Entry(made, Instant.ofEpochSecond(lastUse)));
        return made;
    }

    private static void link(Path to, Path from) throws IOException {
        try (var files = Files.newDirectoryStream(from)) {
            for (Path file : files) {
                Files.createLink(to.resolve(file.getFileName()), file);
            }
        }
    }

    private List<String> evict(int blocks, Set<String> inUse) throws IOException {
        return new EvictionPlan(new ByteSize((long) blocks * BLOCK))
                .evict(entries, List.of(folder.resolve("cache")), entry -> !inUse.contains(name(entry))).stream()
                        .map(EvictionPlanTest::name)
                        .toList();
    }

    private static String name(EvictionPlan.Entry entry) {
        return entry.folder().getFileName().toString();
    }
}
