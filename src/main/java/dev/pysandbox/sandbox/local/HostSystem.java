package dev.pysandbox.sandbox.local;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/** Facts of a Linux host: its system folders, programs and permissions. */
public final class HostSystem {
    /** What programs and libraries need, and no more: no /usr/local, no /opt, no home folder. */
    private static final List<String> SYSTEM_FOLDERS = List.of(
            "/usr/bin",
            "/usr/lib",
            "/usr/lib32",
            "/usr/lib64",
            "/usr/libexec",
            "/usr/share/zoneinfo",
            "/usr/share/ca-certificates",
            "/nix/store",
            "/gnu/store");

    /** Links into /usr on most systems, folders of their own on some. */
    private static final List<String> MERGED_FOLDERS = List.of("/bin", "/lib", "/lib32", "/lib64", "/sbin");

    private static final List<String> PROGRAM_FOLDERS =
            List.of("/usr/bin", "/bin", "/usr/sbin", "/sbin", "/usr/local/bin", "/run/current-system/sw/bin");

    private static final int READ = 4;
    private static final int EXECUTE = 1;

    private HostSystem() {}

    /** Arguments for bwrap that show the system's programs and libraries, read-only. */
    public static List<String> systemArguments() throws IOException {
        List<String> arguments = new ArrayList<>();
        for (String folder : SYSTEM_FOLDERS) {
            if (Files.isDirectory(Path.of(folder))) {
                arguments.addAll(List.of("--ro-bind", folder, folder));
            }
        }
        for (String folder : MERGED_FOLDERS) {
            Path path = Path.of(folder);
            if (Files.isSymbolicLink(path)) {
                arguments.addAll(
                        List.of("--symlink", Files.readSymbolicLink(path).toString(), folder));
            } else if (Files.isDirectory(path)) {
                arguments.addAll(List.of("--ro-bind", folder, folder));
            }
        }
        return arguments;
    }

    /** Finds a program on PATH; without one, where systems keep theirs. */
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

    /** Whether a user who owns none of the folders on the way can reach and read a path as a member of a group. */
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

    /** The highest folder on the way to a path from which on everyone can go down: just below one that keeps others out. */
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
