package dev.pysandbox.sandbox.bubblewrap;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The folders that system programs and libraries need. /usr/local, /opt and home folders are not among them. */
final class SystemFolders {
    private static final List<String> FOLDERS = List.of(
            "/usr/bin",
            "/usr/lib",
            "/usr/lib32",
            "/usr/lib64",
            "/usr/libexec",
            "/usr/share/zoneinfo",
            "/usr/share/ca-certificates",
            "/nix/store",
            "/gnu/store");

    /** Symbolic links into /usr on most systems, real folders on some. */
    private static final List<String> MERGED_FOLDERS = List.of("/bin", "/lib", "/lib32", "/lib64", "/sbin");

    private SystemFolders() {}

    /** Returns the bwrap arguments that mount them read-only. */
    static List<String> arguments() throws IOException {
        List<String> arguments = new ArrayList<>();
        for (String folder : FOLDERS) {
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
}
