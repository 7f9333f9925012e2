package dev.pysandbox.sandbox.local;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/** Queries a Linux host: its programs and permissions. */
public final class HostSystem {
    private static final List<String> PROGRAM_FOLDERS =
            List.of("/usr/bin", "/bin", "/usr/sbin", "/sbin", "/usr/local/bin", "/run/current-system/sw/bin");

    private static final int READ = 4;
    private static final int EXECUTE = 1;

    private static final boolean COUNTS_RESERVED_MEMORY = overcommitPolicy().equals("2");

    private HostSystem() {}

    /** Returns whether the kernel refuses memory when all processes together have reserved as much as there is. */
    public static boolean countsReservedMemory() {
        return COUNTS_RESERVED_MEMORY;
    }

    private static String overcommitPolicy() {
        try {
            return Files.readString(Path.of("/proc/sys/vm/overcommit_memory")).strip();
        } catch (IOException e) {
            return ""; // not Linux
        }
    }

    /** Finds a program on the search path; if that is empty, in the usual folders. */
    public static Optional<Path> program(String name, Optional<String> searchPath) {
        return searchPath
                .map(path -> Stream.of(path.split(":", -1)))
                .orElseGet(PROGRAM_FOLDERS::stream)
                .filter(folder -> folder.startsWith("/"))
                .map(folder -> Path.of(folder, name))
                .filter(Files::isExecutable)
                .findFirst();
    }

    public static boolean runsAsRoot() {
        try {
            return Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0);
        } catch (IOException | UnsupportedOperationException e) {
            return false;
        }
    }

    /** Returns whether a member of the group who owns none of the folders can read the path. */
    public static boolean isOpenTo(int group, Path path) throws IOException {
        if ((permissions(group, path) & READ) == 0) {
            return false;
        }
        for (Path above = path.getParent(); above != null; above = above.getParent()) {
            if ((permissions(group, above) & EXECUTE) == 0) {
                return false;
            }
        }
        return true;
    }

    private static int permissions(int group, Path path) throws IOException {
        Map<String, Object> attributes = Files.readAttributes(path, "unix:mode,gid");
        int mode = (Integer) Objects.requireNonNull(attributes.get("mode"));
        return Objects.equals(attributes.get("gid"), group) ? mode >> 3 : mode;
    }

    /**
     * Returns the highest folder above a path such that every user can traverse all folders between them: the child of
     * the nearest folder without execute permission for others.
     */
    public static Path openRoot(Path path) throws IOException {
        Path root = path;
        for (Path above = path.getParent(); above != null; above = above.getParent()) {
            if (!Files.getPosixFilePermissions(above).contains(PosixFilePermission.OTHERS_EXECUTE)) {
                return root;
            }
            root = above;
        }
        return path;
    }
}
