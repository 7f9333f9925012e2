package dev.pysandbox.sandbox.local;

import dev.pysandbox.support.Folders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Writes the /etc that a sandbox sees: one user, one host, no secrets, and empty mount points. */
public final class SyntheticEtc {
    private static final Map<String, String> FILES = Map.of(
            "passwd", "root:x:0:0:root:/:/bin/false\nuser:x:1000:1000:user:/home/user:/bin/sh\n",
            "group", "root:x:0:\nuser:x:1000:\n",
            "hosts", "127.0.0.1 localhost sandbox\n::1 localhost sandbox\n",
            "nsswitch.conf", "passwd: files\ngroup: files\nhosts: files dns\n",
            "resolv.conf", "",
            "ld.so.cache", "",
            "fonts/fonts.conf", "<fontconfig><dir>/usr/share/fonts</dir><cachedir>/tmp</cachedir></fontconfig>\n");

    private static final List<String> FOLDERS = List.of("fonts", "ssl", "pki", "ca-certificates", "alternatives");

    private SyntheticEtc() {}

    /** Writes an /etc in which the user has other ids than 1000. */
    public static Path write(Path folder, int user, int group) throws IOException {
        write(folder);
        Files.writeString(
                folder.resolve("passwd"), FILES.getOrDefault("passwd", "").replace("1000:1000", user + ":" + group));
        Files.writeString(
                folder.resolve("group"), FILES.getOrDefault("group", "").replace("1000", Integer.toString(group)));
        return folder;
    }

    public static Path write(Path folder) throws IOException {
        Files.createDirectories(folder);
        Folders.setPermissions(folder, "rwxr-xr-x");
        for (String name : FOLDERS) {
            Folders.setPermissions(Files.createDirectories(folder.resolve(name)), "rwxr-xr-x");
        }
        for (Map.Entry<String, String> file : FILES.entrySet()) {
            Path path = Files.writeString(folder.resolve(file.getKey()), file.getValue());
            Folders.setPermissions(path, "rw-r--r--");
        }
        return folder;
    }
}
