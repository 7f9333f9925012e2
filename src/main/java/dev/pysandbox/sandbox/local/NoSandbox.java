package dev.pysandbox.sandbox.local;

import dev.pysandbox.api.Backend;
import dev.pysandbox.sandbox.Capabilities;
import dev.pysandbox.sandbox.Job;
import dev.pysandbox.sandbox.MemoryCount;
import dev.pysandbox.sandbox.Sandbox;
import dev.pysandbox.sandbox.SandboxedProcess;
import dev.pysandbox.sandbox.Volume;
import dev.pysandbox.support.Folders;
import dev.pysandbox.support.Spawner;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Runs jobs without isolation: each job gets only its own variables, private folders and a kill of all its processes.
 */
record NoSandbox(Spawner spawner, RuntimeFolder runtime) implements Sandbox {
    /**
     * The number of attempts to kill all processes; the next attempt finds those that were forked during the last one.
     */
    private static final int ROUNDS = 8;

    @Override
    public String name() {
        return Backend.NONE.label();
    }

    @Override
    public String description() {
        return name();
    }

    @Override
    public Capabilities capabilities() {
        // The supervisor counts memory by /proc.
        boolean uncounted = HostSystem.countsReservedMemory() || !Files.exists(Path.of("/proc/self/statm"));
        return new Capabilities(false, false, false, false, uncounted);
    }

    @Override
    public Path pathOf(Volume volume) {
        return volume.source();
    }

    @Override
    public SandboxedProcess start(Job job) throws IOException {
        Path folder = Files.createDirectory(runtime.fresh("run"));
        Path work = Files.createDirectory(folder.resolve("work"));
        Path home = Files.createDirectory(folder.resolve("home"));
        Path temporary = Files.createDirectory(folder.resolve("tmp"));
        ProcessBuilder builder = new ProcessBuilder(job.argv()).directory(work.toFile());
        builder.environment().clear();
        builder.environment().putAll(job.environment(home.toString(), temporary.toString()));
        try {
            Process process = spawner.start(builder);
            return new LocalProcess(
                    process,
                    () -> killAll(process, folder),
                    // Kills again after the process is dead: until then it may have started others.
                    List.of(() -> killAll(process, folder), () -> Folders.delete(folder)),
                    Optional.empty(),
                    MemoryCount.NONE,
                    () -> Optional.of(new ProcessTree(process.pid())));
        } catch (IOException e) {
            Folders.delete(folder);
            throw e;
        }
    }

    /** Kills the descendants of the process, and detached processes that have the folder as HOME or working folder. */
    private static void killAll(Process process, Path folder) {
        for (int round = 0; round < ROUNDS; round++) {
            List<ProcessHandle> left = Stream.concat(
                            process.descendants(), ProcessHandle.allProcesses().filter(each -> isOf(folder, each)))
                    .filter(each -> each.pid() != process.pid())
                    .toList();
            if (left.isEmpty()) {
                return;
            }
            left.forEach(ProcessHandle::destroyForcibly);
        }
    }

    private static boolean isOf(Path folder, ProcessHandle process) {
        Path facts = Path.of("/proc", Long.toString(process.pid()));
        try {
            return Files.readSymbolicLink(facts.resolve("cwd")).startsWith(folder)
                    || Files.readString(facts.resolve("environ"), StandardCharsets.ISO_8859_1)
                            .contains("HOME=" + folder.resolve("home"));
        } catch (IOException e) {
            return false; // a process of another user, an ended process, or a system without /proc
        }
    }
}
