package dev.pysandbox.env;

import dev.pysandbox.process.ByteSize;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;

/**
 * Keeps environments and uv's cache within a size: the least recently used go first.
 *
 * <p>They share files by hard links: one is freed, and counted, when its last name goes.
 */
final class CacheTrimmer {
    /** What a small file really takes. */
    private static final long BLOCK = 4096;

    /** By this much the clock of another machine, or of a file server, may be ahead. */
    private static final Duration CLOCKS_DIFFER = Duration.ofHours(1);

    private final ByteSize budget;
    private final Map<Object, Content> contents = new HashMap<>();
    private long total;

    CacheTrimmer(ByteSize budget) {
        this.budget = budget;
    }

    /** A folder that can go as a whole, and when it was last of use. */
    record Entry(Path folder, Instant lastUse) {
        /**
         * A use in the future was written by a clock that was wrong and would keep the folder until then: it counts as
         * none. Who has used it since has written that down.
         */
        static Entry of(Path folder, Instant lastUse, Instant now) {
            return new Entry(folder, lastUse.isAfter(now.plus(CLOCKS_DIFFER)) ? Instant.EPOCH : lastUse);
        }
    }

    /**
     * Removes entries until the rest fits.
     *
     * @param shared the entry that all others were made from: it goes first when it alone takes half of the budget
     * @param remove removes an entry, unless it is in use
     * @return what was removed
     */
    List<Entry> trim(List<Entry> entries, Path shared, Predicate<Entry> remove) throws IOException {
        Map<Entry, List<Content>> held = new HashMap<>();
        for (Entry entry : entries) {
            held.put(entry, read(entry.folder()));
        }
        List<Entry> removed = new ArrayList<>();
        for (Entry entry : inOrder(entries, shared, held)) {
            if (total <= budget.bytes()) {
                break;
            }
            if (remove.test(entry)) {
                removed.add(entry);
                Objects.requireNonNull(held.get(entry)).forEach(this::forget);
            }
        }
        return removed;
    }

    private List<Entry> inOrder(List<Entry> entries, Path shared, Map<Entry, List<Content>> held) {
        Comparator<Entry> oldestFirst = Comparator.comparing(Entry::lastUse);
        Comparator<Entry> tooLargeFirst =
                Comparator.comparing(entry -> !(entry.folder().equals(shared)
                        && held.getOrDefault(entry, List.of()).stream()
                                        .mapToLong(content -> content.size)
                                        .sum()
                                > budget.bytes() / 2));
        return entries.stream().sorted(tooLargeFirst.thenComparing(oldestFirst)).toList();
    }

    private void forget(Content content) {
        content.names--;
        if (content.names == 0) {
            total -= content.size;
        }
    }

    private List<Content> read(Path folder) throws IOException {
        List<Content> found = new ArrayList<>();
        Files.walkFileTree(folder, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                Object key = attributes.fileKey() == null ? file : attributes.fileKey();
                Content content = contents.computeIfAbsent(key, any -> new Content(blocks(attributes.size())));
                if (content.names == 0) {
                    total += content.size;
                }
                content.names++;
                found.add(content);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException failure) {
                return FileVisitResult.CONTINUE; // it went meanwhile
            }
        });
        return found;
    }

    private static long blocks(long size) {
        return (size + BLOCK - 1) / BLOCK * BLOCK;
    }

    /** A file, under however many names. */
    private static final class Content {
        private final long size;
        private int names;

        Content(long size) {
            this.size = size;
        }
    }
}
