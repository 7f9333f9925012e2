package dev.pysandbox.sandbox.docker;

import dev.pysandbox.sandbox.local.HostSystem;
import dev.pysandbox.sandbox.local.UnprivilegedUser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The user of the processes in containers: that of the server, so that they can use its folders, but never root. */
record DockerUser(int user, int group) {
    /** For systems without /proc: Docker Desktop shares files with any user. */
    private static final DockerUser WITHOUT_PROC = new DockerUser(1000, 1000);

    /** The owner of new volumes. */
    static final DockerUser ROOT = new DockerUser(0, 0);

    static DockerUser current() throws IOException {
        Path self = Path.of("/proc/self");
        if (!Files.exists(self)) {
            return WITHOUT_PROC;
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
