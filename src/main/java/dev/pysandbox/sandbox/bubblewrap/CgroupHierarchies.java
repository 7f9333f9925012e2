package dev.pysandbox.sandbox.bubblewrap;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The control group hierarchies of this system, and the server's group in each.
 *
 * @param mounts the lines of /proc/self/mountinfo
 * @param groups the lines of /proc/self/cgroup
 */
record CgroupHierarchies(List<String> mounts, List<String> groups) {
    private static final Logger log = LoggerFactory.getLogger(CgroupHierarchies.class);
    private static final List<String> NEEDED = List.of("memory", "pids");

    static CgroupHierarchies current() {
        return new CgroupHierarchies(lines(Path.of("/proc/self/mountinfo")), lines(Path.of("/proc/self/cgroup")));
    }

    /** Returns the groups in which the server can create groups, one for each hierarchy; empty if it can't. */
    List<Path> parents() {
        return unified().map(List::of).orElseGet(this::separate);
    }

    /**
     * Version 2: a group with processes can't enable controllers for child groups, so an ancestor of the server's group
     * must.
     */
    private Optional<Path> unified() {
        Optional<Path> top = folder("cgroup2", "", "/");
        Optional<Path> own = group("").flatMap(group -> folder("cgroup2", "", group));
        if (top.isEmpty() || own.isEmpty()) {
            return Optional.empty();
        }
        for (Path group = own.get(); group != null && group.startsWith(top.get()); group = group.getParent()) {
            Path candidate = group;
            if (NEEDED.stream().allMatch(controller -> enables(candidate, controller)) && isWritable(group)) {
                return Optional.of(group);
            }
        }
        return Optional.empty();
    }

    /** Version 2: returns whether a group enables a controller for its child groups. */
    static boolean enables(Path group, String controller) {
        return lines(group.resolve("cgroup.subtree_control")).stream()
                .flatMap(line -> Arrays.stream(line.split(" ", -1)))
                .anyMatch(controller::equals);
    }

    /** Version 1: each hierarchy has one or several controllers. */
    private List<Path> separate() {
        Set<Path> parents = new LinkedHashSet<>();
        for (String controller : NEEDED) {
            Optional<Path> parent = parent(controller);
            if (parent.isEmpty()) {
                return List.of();
            }
            parents.add(parent.get());
        }
        parent("cpu").ifPresent(parents::add);
        return List.copyOf(parents);
    }

    private Optional<Path> parent(String controller) {
        return group(controller)
                .flatMap(group -> folder("cgroup", controller, group))
                .filter(CgroupHierarchies::isWritable);
    }

    /** Returns the server's group in the hierarchy of a controller, from lines such as {@code 4:memory:/user}. */
    private Optional<String> group(String controller) {
        return groups.stream()
                .map(line -> line.split(":", 3))
                .filter(parts -> parts.length == 3
                        && Arrays.asList(parts[1].split(",", -1)).contains(controller))
                .map(parts -> parts[2])
                .findFirst();
    }

    /**
     * Returns the folder of a group, from lines such as {@code 30 24 0:27 /root /mount options - cgroup cgroup
     * rw,memory}.
     */
    private Optional<Path> folder(String type, String controller, String group) {
        for (String line : mounts) {
            String[] halves = line.split(" - ", 2);
            List<String> mount = List.of(halves[0].split(" ", -1));
            List<String> system = new ArrayList<>(List.of(halves[halves.length - 1].split(" ", -1)));
            boolean fits = halves.length == 2
                    && mount.size() > 4
                    && system.get(0).equals(type)
                    && (controller.isEmpty()
                            || Arrays.asList(system.get(system.size() - 1).split(",", -1))
                                    .contains(controller));
            if (fits) {
                String root = mount.get(3).equals("/") ? "" : mount.get(3);
                String below = group.startsWith(root) ? group.substring(root.length()) : group;
                return Optional.of(Path.of(mount.get(4), below).normalize());
            }
        }
        return Optional.empty();
    }

    private static boolean isWritable(Path group) {
        return Files.isWritable(group) && Files.isWritable(group.resolve("cgroup.procs"));
    }

    private static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (IOException e) {
            log.debug("can't read {}: {}", file, e.toString());
            return List.of();
        }
    }
}
