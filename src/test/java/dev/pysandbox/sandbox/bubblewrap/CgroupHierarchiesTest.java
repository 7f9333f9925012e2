package dev.pysandbox.sandbox.bubblewrap;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CgroupHierarchiesTest {
    @TempDir
    Path root;

    @Test
    void findsOurOwnGroupInEachTreeOfTheFirstVersion() throws IOException {
        List<String> mounts = List.of(
                "30 24 0:27 / " + root.resolve("memory") + " rw - cgroup cgroup rw,memory",
                "31 24 0:28 / " + root.resolve("pids") + " rw - cgroup cgroup rw,pids",
                "32 24 0:29 /box " + root.resolve("cpu") + " rw - cgroup cgroup rw,cpu,cpuacct",
                "33 24 0:30 / " + root.resolve("unified") + " rw - cgroup2 cgroup2 rw");
        List<String> places = List.of("4:memory:/own", "8:pids:/", "2:cpu,cpuacct:/box/own", "0::/");
        group("unified", "");
        List<Path> expected = List.of(group("memory/own", ""), group("pids", ""), group("cpu/own", ""));
        assertEquals(expected, new CgroupHierarchies(mounts, places).parents());
    }

    @Test
    void findsTheNearestGroupThatHandsItsControllersOn() throws IOException {
        List<String> mounts = List.of("33 24 0:30 / " + root + " rw - cgroup2 cgroup2 rw,nsdelegate");
        group("", "cpu memory pids");
        Path slice = group("user.slice/app.slice", "memory pids");
        group("user.slice/app.slice/terminal.scope", "");
        group("user.slice", "cpu memory pids");
        List<String> places = List.of("0::/user.slice/app.slice/terminal.scope");
        assertEquals(List.of(slice), new CgroupHierarchies(mounts, places).parents());
    }

    @Test
    void findsNothingWhereNothingBoundsMemory() throws IOException {
        List<String> mounts = List.of("33 24 0:30 / " + root + " rw - cgroup2 cgroup2 rw");
        group("", "cpu pids");
        assertEquals(List.of(), new CgroupHierarchies(mounts, List.of("0::/")).parents());
        assertEquals(List.of(), new CgroupHierarchies(List.of(), List.of()).parents());
        assertEquals(List.of(), new CgroupHierarchies(List.of("nonsense"), List.of("nonsense")).parents());
    }

    private Path group(String name, String controllers) throws IOException {
        Path folder = Files.createDirectories(root.resolve(name));
        Files.writeString(folder.resolve("cgroup.procs"), "");
        Files.writeString(folder.resolve("cgroup.subtree_control"), controllers + "\n");
        return folder.normalize();
    }
}
