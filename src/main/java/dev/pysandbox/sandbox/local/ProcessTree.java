package dev.pysandbox.sandbox.local;

import dev.pysandbox.sandbox.Activity;
import dev.pysandbox.support.ByteSize;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Reads the CPU time and memory of a process and all its descendants from /proc, independent of reports from inside the
 * sandbox.
 *
 * <p>In a pid namespace, processes whose parent has ended become children of the first process, so none is missed.
 */
public record ProcessTree(long root) {
    /** Field indexes in /proc/PID/stat, counted after the process name, which may contain spaces. */
    private static final int FIRST_TICKS = 11; // user and system time, then both for children that have ended

    private static final int LAST_TICKS = 14;
    private static final int RESIDENT_PAGES = 21;

    private static final int AT_PAGESZ = 6;
    private static final long USUAL_PAGE_SIZE = 4096;

    private static final int MILLIS_PER_TICK = 10; // USER_HZ is 100 on all supported architectures
    private static final long PAGE_SIZE = pageSize();
    private static final String OWN_SHARE = "Pss_Anon:";

    private static long pageSize() {
        try {
            return pageSize(Files.readAllBytes(Path.of("/proc/self/auxv")));
        } catch (IOException e) {
            return USUAL_PAGE_SIZE;
        }
    }

    /** Finds the page size in the auxiliary vector, which consists of pairs of a type and a value. */
    static long pageSize(byte[] auxiliaryVector) {
        LongBuffer longs =
                ByteBuffer.wrap(auxiliaryVector).order(ByteOrder.nativeOrder()).asLongBuffer();
        while (longs.remaining() >= 2) {
            long type = longs.get();
            long value = longs.get();
            if (type == AT_PAGESZ) {
                return value;
            }
        }
        return USUAL_PAGE_SIZE;
    }

    /** Returns what they have used so far; empty if it can't be read. */
    Optional<Activity> activity() {
        List<Path> processes = processes();
        long ticks = 0;
        long resident = 0;
        for (Path process : processes) {
            List<String> fields = stat(process);
            for (int i = FIRST_TICKS; i <= LAST_TICKS && i < fields.size(); i++) {
                ticks += Long.parseLong(fields.get(i));
            }
            resident += resident(fields);
        }
        return processes.isEmpty()
                ? Optional.empty()
                : Optional.of(new Activity(
                        Set.copyOf(processes), Duration.ofMillis(ticks * MILLIS_PER_TICK), new ByteSize(resident)));
    }

    /** Returns their anonymous memory, without mapped files; empty if it can't be read. */
    Optional<ByteSize> memory() {
        List<Path> processes = processes();
        long bytes = processes.stream().mapToLong(ProcessTree::memoryOf).sum();
        return processes.isEmpty() ? Optional.empty() : Optional.of(new ByteSize(bytes));
    }

    private List<Path> processes() {
        List<Path> found = new ArrayList<>();
        Deque<String> left = new ArrayDeque<>(List.of(Long.toString(root)));
        while (!left.isEmpty()) {
            String pid = left.remove();
            Path process = Path.of("/proc", pid);
            try (DirectoryStream<Path> threads = Files.newDirectoryStream(process.resolve("task"))) {
                for (Path thread : threads) {
                    String children =
                            Files.readString(thread.resolve("children")).strip();
                    left.addAll(children.isEmpty() ? List.of() : List.of(children.split(" ", -1)));
                }
                found.add(process);
            } catch (IOException | DirectoryIteratorException e) {
                // The process has ended, or this system has no such list.
            }
        }
        return found;
    }

    private static List<String> stat(Path process) {
        try {
            String text = Files.readString(process.resolve("stat"), StandardCharsets.ISO_8859_1);
            return List.of(text.substring(text.lastIndexOf(')') + 2).split(" ", -1));
        } catch (IOException e) {
            return List.of(); // the process has ended
        }
    }

    /** Counts a page that several processes share in equal parts for each. Falls back to the resident memory. */
    private static long memoryOf(Path process) {
        try {
            return Files.readString(process.resolve("smaps_rollup"))
                    .lines()
                    .filter(line -> line.startsWith(OWN_SHARE))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) << 10)
                    .sum();
        } catch (IOException e) {
            return resident(stat(process));
        }
    }

    private static long resident(List<String> fields) {
        return fields.size() > RESIDENT_PAGES ? Long.parseLong(fields.get(RESIDENT_PAGES)) * PAGE_SIZE : 0;
    }
}
