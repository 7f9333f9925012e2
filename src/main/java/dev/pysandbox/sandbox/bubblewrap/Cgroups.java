package dev.pysandbox.sandbox.bubblewrap;

import dev.pysandbox.api.Limits;
import dev.pysandbox.sandbox.Job.Priority;
import dev.pysandbox.sandbox.local.RuntimeFolder;
import dev.pysandbox.support.ByteSize;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Creates control groups, if this system permits it. In version 1 they are children of the server's group. In version 2
 * they are children of the nearest group, from the server's upwards, that enables the controllers and is writable.
 */
final class Cgroups {
    private static final Logger log = LoggerFactory.getLogger(Cgroups.class);

    /** Added for the supervisor and the data that it forwards to the proxy. */
    private static final long OWN_MEMORY = 16 << 20;

    /** Added for the supervisor and the programs that start it. */
    private static final int OWN_PROCESSES = 16;

    /** In version 1, TCP buffers have a separate limit: the memory limit divided by this number. */
    private static final int TCP_PART = 8;

    private static final long PERIOD_MICROS = 100_000;

    /** The name of the runtime folder, the server's pid and a number. */
    private static final Pattern NAME = Pattern.compile("python-sandbox-[^.]+\\.(\\d{1,10})\\.\\d+");

    /** The file that sets a limit, in version 1 and in version 2. */
    private enum Bound {
        MEMORY("memory.limit_in_bytes", "memory.max"),
        PROCESSES("pids.max", "pids.max");

        private final String first;
        private final String second;

        Bound(String first, String second) {
            this.first = first;
            this.second = second;
        }
    }

    private final List<Path> parents;
    private final String prefix;
    private final boolean weighted;
    private final CgroupFiles files = new CgroupFiles();
    private final AtomicLong number = new AtomicLong();

    private Cgroups(List<Path> parents, String prefix) {
        this.parents = List.copyOf(parents);
        this.prefix = prefix;
        this.weighted = parents.stream()
                .anyMatch(parent ->
                        Files.exists(parent.resolve("cpu.shares")) || CgroupHierarchies.enables(parent, "cpu"));
    }

    /** Finds the groups in which groups can be created, and removes those of servers that were killed. */
    static Cgroups find(RuntimeFolder runtime) {
        String prefix =
                runtime.path().getFileName() + "." + ProcessHandle.current().pid() + ".";
        List<Path> parents = CgroupHierarchies.current().parents();
        parents.forEach(Cgroups::sweep);
        return new Cgroups(parents, prefix);
    }

    /** Returns whether the groups have a share of the processors. */
    boolean canSetPriority() {
        return weighted;
    }

    /** Returns whether this server can create groups. */
    boolean canCreate() {
        return !parents.isEmpty();
    }

    /**
     * Creates a group with these limits. Returns empty if that fails: then only resource limits and the supervisor's
     * count apply.
     */
    Optional<Cgroup> create(Limits limits, Priority priority) {
        List<Path> folders = new ArrayList<>();
        String name = prefix + number.incrementAndGet();
        try {
            for (Path parent : parents) {
                folders.add(Files.createDirectory(parent.resolve(name)));
            }
            if (folders.isEmpty()) {
                return Optional.empty();
            }
            bound(folders, limits);
            Cgroup group = new Cgroup(folders, files);
            if (priority == Priority.LOW) {
                group.setPriority(Priority.LOW);
            }
            return Optional.of(group);
        } catch (IOException e) {
            log.debug("no control group: {}", e.toString());
            for (Path folder : folders) {
                removeIfEmpty(folder);
            }
            return Optional.empty();
        }
    }

    private void bound(List<Path> folders, Limits limits) throws IOException {
        ByteSize memory = new ByteSize(limits.memory().bytes() + OWN_MEMORY);
        require(folders, Bound.MEMORY, memory.bytes());
        require(folders, Bound.PROCESSES, limits.processes() + OWN_PROCESSES);
        Map<String, String> optional = new LinkedHashMap<>();
        optional.put("memory.memsw.limit_in_bytes", Long.toString(memory.bytes()));
        optional.put("memory.swap.max", "0");
        // Version 1 does not count TCP buffers as memory; version 2 does.
        optional.put("memory.kmem.tcp.limit_in_bytes", Long.toString(memory.bytes() / TCP_PART));
        if (limits.cpus().isPresent()) {
            long quota = Math.max(1000, Math.round(limits.cpus().getAsDouble() * PERIOD_MICROS));
            optional.put("cpu.cfs_period_us", Long.toString(PERIOD_MICROS));
            optional.put("cpu.cfs_quota_us", Long.toString(quota));
            optional.put("cpu.max", quota + " " + PERIOD_MICROS);
        }
        optional.forEach((name, value) -> files.write(folders, name, value));
    }

    private void require(List<Path> folders, Bound bound, long value) throws IOException {
        if (!files.write(folders, bound.first, Long.toString(value))
                && !files.write(folders, bound.second, Long.toString(value))) {
            throw new IOException("can't limit " + bound + " in " + folders);
        }
    }

    private static void sweep(Path parent) {
        try (DirectoryStream<Path> groups = Files.newDirectoryStream(parent, "python-sandbox-*")) {
            for (Path group : groups) {
                Matcher matcher = NAME.matcher(group.getFileName().toString());
                if (matcher.matches()
                        && ProcessHandle.of(Long.parseLong(matcher.group(1))).isEmpty()) {
                    removeIfEmpty(group);
                }
            }
        } catch (IOException e) {
            log.debug("can't search for leftovers in {}: {}", parent, e.toString());
        }
    }

    private static void removeIfEmpty(Path group) {
        try {
            Files.delete(group);
        } catch (IOException e) {
            log.debug("can't remove {}: {}", group, e.toString());
        }
    }
}
