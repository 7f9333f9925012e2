package dev.pysandbox.environment;

import dev.pysandbox.support.ByteSize;
import dev.pysandbox.support.TreeWalk;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Keeps environments and uv's cache within a size: the least recently used go first.
 *
 * <p>They share files by hard links: one is freed, and counted, when its last name goes.
 */
final class UvCacheTrimmer {
    /** What a small file really takes; an empty one takes an entry of its folder, and of the file system's table. */
    private static final long BLOCK = 4096;

    /** More than the environments of any set of packages hold; this many counts fit into memory. */
    private static final int MOST_FILES = 1_000_000;

    /** By this much the clock of another machine, or of a file server, may be ahead. */
    private static final Duration CLOCKS_DIFFER = Duration.ofHours(1);

    private final ByteSize budget;
    private final Map<Object, Content> contents = new HashMap<>();
    private long total;

    UvCacheTrimmer(ByteSize budget) {
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
    List<Entry> trim(List<Entry> entries, Path shared, Predicate<Entry> remove) {
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

    /** An entry that can't be counted whole takes more than there is. */
    private List<Content> read(Path folder) {
        List<Content> found = new ArrayList<>();
        TreeWalk.Extent extent = TreeWalk.of(
                folder, MOST_FILES, attributes -> found.add(named(attributes.fileKey(), attributes.size())));
        if (extent != TreeWalk.Extent.WHOLE) {
            found.add(named(null, budget.bytes() + BLOCK));
        }
        return found;
    }

    private Content named(@Nullable Object key, long size) {
        Content content = contents.computeIfAbsent(key == null ? new Object() : key, any -> new Content(blocks(size)));
        if (content.names == 0) {
            total += content.size;
        }
        content.names++;
        return content;
    }

    private static long blocks(long size) {
        return Math.max(1, (size + BLOCK - 1) / BLOCK) * BLOCK;
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
