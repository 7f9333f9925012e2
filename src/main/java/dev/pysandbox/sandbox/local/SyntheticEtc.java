package dev.pysandbox.sandbox.local;

import dev.pysandbox.support.Folders;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The /etc that a sandbox sees: one user, one host, no secrets.
 *
 * @param folder its own files, copies of public tables of the host, and empty mount points
 * @param shared the files and folders of the host's /etc to mount over the mount points, if they exist
 */
public record SyntheticEtc(Path folder, List<String> shared) {
    /** The cache is below the hidden folder ~/.cache, because visible files of /tmp and home are listed as results. */
    private static final String FONTS =
            "<fontconfig><dir>/usr/share/fonts</dir>" + "<cachedir prefix=\"xdg\">fontconfig</cachedir></fontconfig>\n";

    private static final Map<String, String> FILES = Map.of(
            "passwd", "root:x:0:0:root:/:/bin/false\nuser:x:1000:1000:user:/home/user:/bin/sh\n",
            "group", "root:x:0:\nuser:x:1000:\n",
            "hosts", "127.0.0.1 localhost sandbox\n::1 localhost sandbox\n",
            "nsswitch.conf", "passwd: files\ngroup: files\nhosts: files dns\n",
            "resolv.conf", "",
            "ld.so.cache", "",
            "fonts/fonts.conf", FONTS);

    private static final List<String> FOLDERS = List.of("fonts", "ssl", "pki", "ca-certificates", "alternatives");

    /** What programs need of the host's /etc and contains no secrets. */
    private static final List<String> SHARED = List.of("ld.so.cache", "ssl", "pki", "ca-certificates", "alternatives");

    /** The settings of Java, to which the files of its installation in /usr/lib link. */
    private static final String JAVA = "java-*";

    /** The names of media types, ports and protocols, for {@code mimetypes} and {@code getservbyname}. */
    private static final List<String> TABLES = List.of("mime.types", "services", "protocols");

    private static final long LARGEST_TABLE = 1 << 20;

    public SyntheticEtc {
        shared = List.copyOf(shared);
    }

    /** Writes an /etc in which the user has other ids than 1000. */
    public static Path write(Path folder, int user, int group) throws IOException {
        write(folder);
        Files.writeString(
                folder.resolve("passwd"), FILES.getOrDefault("passwd", "").replace("1000:1000", user + ":" + group));
        Files.writeString(
                folder.resolve("group"), FILES.getOrDefault("group", "").replace("1000", Integer.toString(group)));
        return folder;
    }

    /** Writes an /etc with what a host's has for the programs in its /usr. */
    public static SyntheticEtc create(Path folder, Path host) throws IOException {
        write(folder);
        for (String name : TABLES) {
            Path table = host.resolve(name);
            if (Files.isRegularFile(table) && Files.size(table) <= LARGEST_TABLE) {
                Path copy = Files.write(folder.resolve(name), Files.readAllBytes(table));
                Folders.setPermissions(copy, "rw-r--r--");
            }
        }
        List<String> shared = new ArrayList<>(SHARED);
        try (DirectoryStream<Path> settings = Files.newDirectoryStream(host, JAVA)) {
            for (Path each : settings) {
                if (Files.isDirectory(each)) {
                    String name = each.getFileName().toString();
                    Folders.setPermissions(Files.createDirectories(folder.resolve(name)), "rwxr-xr-x");
                    shared.add(name);
                }
            }
        }
        return new SyntheticEtc(folder, shared);
    }

    private static void write(Path folder) throws IOException {
        Files.createDirectories(folder);
        Folders.setPermissions(folder, "rwxr-xr-x");
        for (String name : FOLDERS) {
            Folders.setPermissions(Files.createDirectories(folder.resolve(name)), "rwxr-xr-x");
        }
        for (Map.Entry<String, String> file : FILES.entrySet()) {
            Path path = Files.writeString(folder.resolve(file.getKey()), file.getValue());
            Folders.setPermissions(path, "rw-r--r--");
        }
    }
}
