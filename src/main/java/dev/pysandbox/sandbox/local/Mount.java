package dev.pysandbox.sandbox.local;

import dev.pysandbox.sandbox.Job;
import dev.pysandbox.sandbox.JobProxy;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** A folder or file of this machine, and where a sandbox on this machine shows it. */
public record Mount(Path source, Path target, boolean writable) {
    public static Mount readOnly(Path source, String target) {
        return new Mount(source, Path.of(target), false);
    }

    /** Returns the mount that shows the socket of a proxy; empty if it is reached in another way. */
    public static Optional<Mount> of(JobProxy proxy) {
        return proxy.hostSocket().map(socket -> new Mount(socket, JobProxy.SHARED_SOCKET, false));
    }

    /** Returns the mounts that show the volumes of a job. */
    public static List<Mount> of(Job job) {
        return job.volumes().stream()
                .map(volume -> new Mount(volume.source(), volume.target(), volume.writable()))
                .toList();
    }
}
