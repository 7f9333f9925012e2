package dev.pysandbox.cli;

import dev.pysandbox.mcp.tools.ReportText;
import dev.pysandbox.support.ByteSize;
import dev.pysandbox.support.CacheFolder;
import dev.pysandbox.support.Folders;
import dev.pysandbox.support.TreeWalk;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import picocli.CommandLine.Command;

/** Deletes the cache folder. */
@Command(
        name = "clean",
        description = {
            "Deletes the cache (--cache-dir) and prints how much space was freed.",
            "Running servers install again what they need; scripts that are running may fail."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:the cache was deleted",
            "1:a server wrote to it meanwhile: a part is left",
            "2:wrong options, or not a cache: nothing was deleted"
        })
final class CleanCommand extends ResultCommand {
    /** The only names that are ever removed. */
    private static final Set<String> OURS = CacheFolder.names();

    private static final int REFILLED = 1;

    CleanCommand(CommandContext context) {
        super(context);
    }

    @Override
    public Integer call() throws IOException {
        Path cache = context.options().builder().config().cache().folder();
        Set<String> found = contents(cache);
        Set<String> ours = new TreeSet<>(found);
        ours.retainAll(OURS);
        Map<String, Long> sizes = sizes(cache, ours);
        if (!delete(cache, ours, ours.equals(found))) {
            context.terminal()
                    .err()
                    .println("python-sandbox: a server wrote to " + cache + " while it was deleted;"
                            + " stop the server, then run clean again");
            return REFILLED;
        }
        show(cache, sizes);
        return 0;
    }

    /** Returns false if something wrote to a folder while it was deleted. */
    static boolean delete(Path cache, Set<String> names, boolean alsoCache) throws IOException {
        try {
            for (String name : names) {
                Folders.delete(cache.resolve(name));
            }
            if (alsoCache) {
                Files.deleteIfExists(cache);
            }
            return true;
        } catch (DirectoryNotEmptyException e) {
            return false;
        }
    }

    private static Set<String> contents(Path cache) throws IOException {
        if (!Files.exists(cache)) {
            return Set.of();
        }
        Set<String> names = new TreeSet<>();
        if (Files.isDirectory(cache)) {
            try (Stream<Path> entries = Files.list(cache)) {
                entries.forEach(entry -> names.add(String.valueOf(entry.getFileName())));
            }
        }
        // A home folder may contain a folder called "install": a single known name proves nothing.
        boolean ours = names.isEmpty() || names.stream().filter(OURS::contains).count() * 2 > names.size();
        if (!Files.isDirectory(cache) || !ours) {
            throw new IllegalArgumentException(
                    "--cache-dir " + cache + " does not look like a cache of this program; nothing was deleted");
        }
        return names;
    }

    /** Measures folders; a file with several hard links, such as a package in uv's cache, counts once. */
    private static Map<String, Long> sizes(Path cache, Set<String> names) {
        Set<Object> counted = new HashSet<>();
        Map<String, Long> sizes = new LinkedHashMap<>();
        for (String name : names) {
            AtomicLong bytes = new AtomicLong();
            TreeWalk.of(cache.resolve(name), Long.MAX_VALUE, file -> {
                if (file.fileKey() == null || counted.add(file.fileKey())) {
                    bytes.addAndGet(file.size());
                }
            });
            sizes.put(name, bytes.get());
        }
        return sizes;
    }

    private void show(Path cache, Map<String, Long> freed) {
        PrintStream out = context.terminal().out();
        long total = freed.values().stream().mapToLong(Long::longValue).sum();
        if (json) {
            Map<String, Object> report = new LinkedHashMap<>();
            report.put("cache_dir", cache.toString());
            report.put("freed_bytes", total);
            report.put("removed", freed);
            out.println(ReportText.json(report));
            return;
        }
        freed.forEach((name, size) -> out.printf("%-14s %s%n", name, new ByteSize(size).readable()));
        out.println("freed " + new ByteSize(total).readable() + " in " + cache);
    }
}
