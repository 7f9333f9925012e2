package dev.pysandbox.sandbox.bubblewrap;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** What system programs and libraries need. /usr/local, /opt and home folders are not among it. */
final class SystemFolders {
    /** Headers are shown because the compiler in /usr/bin is. */
    private static final List<String> FOLDERS = List.of(
            "/usr/bin",
            "/usr/lib",
            "/usr/lib32",
            "/usr/lib64",
            "/usr/libexec",
            "/usr/include",
            "/usr/share/zoneinfo",
            "/usr/share/ca-certificates",
            "/usr/share/fonts",
            "/usr/share/glvnd",
            "/nix/store",
            "/gnu/store");

    /** The databases of libmagic. */
    private static final List<String> FILES = List.of("/usr/share/misc/magic", "/usr/share/misc/magic.mgc");

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
        for (String file : FILES) {
            if (Files.isRegularFile(Path.of(file))) {
                arguments.addAll(List.of("--ro-bind", file, file));
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
