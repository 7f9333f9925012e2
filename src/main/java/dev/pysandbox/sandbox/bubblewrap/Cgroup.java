package dev.pysandbox.sandbox.bubblewrap;

import dev.pysandbox.sandbox.Job.Priority;
import dev.pysandbox.sandbox.MemoryCount;
import dev.pysandbox.support.ByteSize;
import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The control group of one job. It limits the resources of all its processes together and counts their memory. */
final class Cgroup implements MemoryCount {
    private static final Logger log = LoggerFactory.getLogger(Cgroup.class);

    /**
     * The kernel refuses to remove a group until shortly after its last process has ended, longer on a busy machine.
     */
    private static final int ATTEMPTS = 500;

    private static final int MOST_BYTES = 4096;
    private static final Pattern DIGITS = Pattern.compile("\\d{1,18}");

    private final List<Path> folders;
    private final CgroupFiles files;
    private final Optional<File> events;
    private final Optional<File> peak;
    private volatile Optional<Usage> last = Optional.empty();

    /** The kernel's counts at the time when the group was removed. */
    private record Usage(boolean outOfMemory, Optional<ByteSize> peakMemory) {}

    /** @param folders the folder of the group in each hierarchy */
    Cgroup(List<Path> folders, CgroupFiles files) {
        this.folders = List.copyOf(folders);
        this.files = files;
        this.events = file("memory.events", "memory.oom_control");
        this.peak = file("memory.peak", "memory.max_usage_in_bytes");
    }

    private Optional<File> file(String... names) {
        return Stream.of(names)
                .flatMap(name -> files.find(folders, name).stream())
                .map(Path::toFile)
                .findFirst();
    }

    /** Sets the share of the processors compared with other groups and processes. */
    void setPriority(Priority priority) {
        boolean low = priority == Priority.LOW;
        if (!files.write(folders, "cpu.shares", low ? "256" : "1024")) {
            files.write(folders, "cpu.weight", low ? "25" : "100");
        }
    }

    /**
     * Returns the files to which a process with one thread writes 0 to join the group. In version 1 that is the file
     * for single threads: to move a whole process, the kernel waits 10 ms or more until no processor is in a fork.
     */
    List<Path> joinFiles() {
        String name = files.find(folders, "tasks").isPresent() ? "tasks" : "cgroup.procs";
        return folders.stream().map(folder -> folder.resolve(name)).toList();
    }

    @Override
    public boolean limits() {
        return true;
    }

    @Override
    public boolean outOfMemory() {
        return last.map(Usage::outOfMemory)
                .orElseGet(() -> read(events)
                        .lines()
                        .anyMatch(line -> line.startsWith("oom_kill ") && !line.equals("oom_kill 0")));
    }

    @Override
    public Optional<ByteSize> peak() {
        return last.isPresent()
                ? last.get().peakMemory()
                : Optional.of(read(peak).strip())
                        .filter(DIGITS.asMatchPredicate())
                        .map(text -> new ByteSize(Long.parseLong(text)));
    }

    /**
     * Kills what is left in the group and removes it. Continues if the thread is interrupted, as it is when the server
     * is stopped: the group would stay.
     */
    void remove() throws IOException {
        last = Optional.of(new Usage(outOfMemory(), peak()));
        List<Path> left = new ArrayList<>(folders);
        boolean interrupted = false;
        for (int attempt = 0; attempt < ATTEMPTS && !left.isEmpty(); attempt++) {
            left.removeIf(Cgroup::removeOrKill);
            interrupted |= !left.isEmpty() && interruptedWhileWaiting();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        if (!left.isEmpty()) {
            throw new IOException("can't remove " + left);
        }
    }

    /** Returns false if the group still has processes; they are killed. */
    private static boolean removeOrKill(Path folder) {
        try {
            Files.deleteIfExists(folder);
            return true;
        } catch (IOException e) {
            killMembers(folder);
            return false;
        }
    }

    private static void killMembers(Path folder) {
        try {
            for (String pid : Files.readAllLines(folder.resolve("cgroup.procs"))) {
                ProcessHandle.of(Long.parseLong(pid)).ifPresent(ProcessHandle::destroyForcibly);
            }
        } catch (IOException e) {
            log.debug("can't read the members of {}: {}", folder, e.toString());
        }
    }

    private static boolean interruptedWhileWaiting() {
        try {
            Thread.sleep(10);
            return false;
        } catch (InterruptedException e) {
            return true;
        }
    }

    /** Reads a file with FileInputStream, which is faster than Files: every call waits for it. */
    private static String read(Optional<File> file) {
        if (file.isEmpty()) {
            return "";
        }
        try (FileInputStream stream = new FileInputStream(file.get())) {
            return new String(stream.readNBytes(MOST_BYTES), StandardCharsets.US_ASCII);
        } catch (IOException e) {
            log.debug("can't read {}: {}", file, e.toString());
            return "";
        }
    }
}
