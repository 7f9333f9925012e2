package dev.pysandbox.sandbox.local;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The user and group that sandboxed processes run as where the server is root. */
public final class UnprivilegedUser {
    /** Outside all ranges that distributions and systemd assign. */
    public static final int ID = 60700;

    private UnprivilegedUser() {}

    /** Makes it the owner of a folder. */
    public static void chown(Path folder) throws IOException {
        Files.setAttribute(folder, "unix:uid", ID);
        Files.setAttribute(folder, "unix:gid", ID);
    }
}
