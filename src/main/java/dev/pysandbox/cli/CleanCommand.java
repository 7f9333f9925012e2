package dev.pysandbox.cli;

import dev.pysandbox.mcp.tools.ReportText;
import dev.pysandbox.support.CacheFolder;
import dev.pysandbox.support.Folders;
import dev.pysandbox.support.TreeWalk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Deletes the cache folder. */
@Command(
        name = "clean",
        description = {
            "Deletes the cache (--cache-dir) and prints how much space was freed.",
            "Running servers install again what they need; scripts that are running may fail."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:the cache was deleted", "2:wrong options, or not a cache: nothing was deleted"})
final class CleanCommand implements Callable<Integer> {
    /** The only names that are ever removed. */
    private static final Set<String> OURS = CacheFolder.names();

    @Option(names = "--json", description = "Print the result as JSON.")
    private boolean json;

    private final CommandContext invocation;

    CleanCommand(CommandContext invocation) {
        this.invocation = invocation;
    }

    @Override
    public Integer call() throws IOException {
        Path cache = invocation.options().builder().config().cache().folder();
        Set<String> found = contents(cache);
        Map<String, Object> freed = new LinkedHashMap<>();
        long total = 0;
        for (String name : found) {
            if (OURS.contains(name)) {
                long size = size(cache.resolve(name));
                Folders.delete(cache.resolve(name));
                freed.put(name, size);
                total += size;
            }
        }
        if (OURS.containsAll(found)) {
            Files.deleteIfExists(cache);
        }
        show(cache, freed, total);
        return 0;
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

    private static long size(Path folder) {
        AtomicLong bytes = new AtomicLong();
        TreeWalk.of(folder, Long.MAX_VALUE, attributes -> bytes.addAndGet(attributes.size()));
        return bytes.get();
    }

    private void show(Path cache, Map<String, Object> freed, long total) {
        if (json) {
            Map<String, Object> report = new LinkedHashMap<>();
            report.put("cache_dir", cache.toString());
            report.put("freed_bytes", total);
            report.put("removed", freed);
            invocation.console().out().println(ReportText.json(report));
            return;
        }
        freed.forEach((name, size) ->
                invocation.console().out().printf("%-14s %s%n", name, readable(((Number) size).longValue())));
        invocation.console().out().println("freed " + readable(total) + " in " + cache);
    }

    static String readable(long bytes) {
        double value = bytes;
        String unit = "bytes";
        for (String larger : new String[] {"KiB", "MiB", "GiB"}) {
            if (value < 1024) {
                break;
            }
            value /= 1024;
            unit = larger;
        }
        return unit.equals("bytes") ? bytes + " bytes" : String.format(Locale.ROOT, "%.1f %s", value, unit);
    }
}
