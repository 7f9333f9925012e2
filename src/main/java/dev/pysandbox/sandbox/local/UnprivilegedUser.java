package dev.pysandbox.sandbox.local;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The user and group of sandboxed processes if the server runs as root. */
public final class UnprivilegedUser {
    /** An id outside all ranges that distributions and systemd assign. */
    public static final int ID = 60700;

    private UnprivilegedUser() {}

    /** Makes this user and group the owner of a folder. */
    public static void chown(Path folder) throws IOException {
        Files.setAttribute(folder, "unix:uid", ID);
        Files.setAttribute(folder, "unix:gid", ID);
    }
}
