package dev.pysandbox.sandbox.docker;

import dev.pysandbox.sandbox.local.HostSystem;
import dev.pysandbox.sandbox.local.UnprivilegedUser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Who a process in a container is to the kernel: the server's own user, so that it can use its folders, never root. */
record DockerUser(int user, int group) {
    /** Docker Desktop shares files with any user. */
    private static final DockerUser ANYBODY = new DockerUser(1000, 1000);

    /** Who owns new volumes. */
    static final DockerUser ROOT = new DockerUser(0, 0);

    static DockerUser current() throws IOException {
        Path self = Path.of("/proc/self");
        if (!Files.exists(self)) {
            return ANYBODY;
        }
        if (HostSystem.runsAsRoot()) {
            return new DockerUser(UnprivilegedUser.ID, UnprivilegedUser.ID);
        }
        return new DockerUser(
                (Integer) Files.getAttribute(self, "unix:uid"), (Integer) Files.getAttribute(self, "unix:gid"));
    }

    @Override
    public String toString() {
        return user + ":" + group;
    }
}
