package dev.pysandbox.environment;

import dev.pysandbox.support.ByteSize;
import dev.pysandbox.support.TreeWalk;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Chooses which environments to remove, and which of uv's caches, to stay within a size limit.
 *
 * <p>They share files by hard links. A file counts once, and its space is freed when its last link is removed.
 */
final class EvictionPlan {
    /** The space of the smallest file. Even an empty file takes a directory entry and an inode. */
    private static final long BLOCK = 4096;

    /** More files than any environment has, and few enough to keep their counts in memory. */
    private static final int MOST_FILES = 1_000_000;

    /** How far the clock of another machine or of a file server may be ahead. */
    private static final Duration CLOCKS_DIFFER = Duration.ofHours(1);

    private final ByteSize budget;
    private final Map<Object, Content> contents = new HashMap<>();
    /** Stands for what was not counted of a folder. No other folder is removed for it if this one can't be. */
    private final Map<Path, Content> uncounted = new HashMap<>();

    private long total;

    EvictionPlan(ByteSize budget) {
        this.budget = budget;
    }

    /** A folder that can be removed as a whole, and its last use. */
    record Entry(Path folder, Instant lastUse) {
        /**
         * Returns an entry. A last use in the future comes from a wrong clock and would keep the folder until then, so
         * it counts as the oldest. A later use has overwritten it.
         */
        static Entry of(Path folder, Instant lastUse, Instant now) {
            return new Entry(folder, lastUse.isAfter(now.plus(CLOCKS_DIFFER)) ? Instant.EPOCH : lastUse);
        }
    }

    /**
     * Removes entries until the rest fits.
     *
     * @param shared uv's caches, from which the others are linked: one that takes more than half of the budget is
     *     removed first
     * @param remove removes an entry, or returns false if it is in use
     * @return the removed entries
     */
    List<Entry> evict(List<Entry> entries, Collection<Path> shared, Predicate<Entry> remove) {
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
            } else {
                Optional.ofNullable(uncounted.remove(entry.folder())).ifPresent(this::forget);
            }
        }
        return removed;
    }

    private List<Entry> inOrder(List<Entry> entries, Collection<Path> shared, Map<Entry, List<Content>> held) {
        Comparator<Entry> oldestFirst = Comparator.comparing(Entry::lastUse);
        Comparator<Entry> tooLargeFirst = Comparator.comparing(entry -> !(shared.contains(entry.folder())
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

    /** Counts the files of an entry. An entry that can't be counted completely counts as larger than the budget. */
    private List<Content> read(Path folder) {
        List<Content> found = new ArrayList<>();
        TreeWalk.Extent extent = TreeWalk.of(
                folder, MOST_FILES, attributes -> found.add(named(attributes.fileKey(), attributes.size())));
        if (extent != TreeWalk.Extent.WHOLE) {
            Content rest = named(null, budget.bytes() + BLOCK);
            uncounted.put(folder, rest);
            found.add(rest);
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

    /** A file with one or more hard links. */
    private static final class Content {
        private final long size;
        private int names;

        Content(long size) {
            this.size = size;
        }
    }
}
