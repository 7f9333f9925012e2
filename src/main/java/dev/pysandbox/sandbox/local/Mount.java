package dev.pysandbox.sandbox.local;

import dev.pysandbox.sandbox.Job;
import dev.pysandbox.sandbox.JobProxy;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** A folder or file of this machine, and the path at which a sandbox shows it. */
public record Mount(Path source, Path target, boolean writable) {
    public static Mount readOnly(Path source, String target) {
        return new Mount(source, Path.of(target), false);
    }

    /** Returns the mount of a proxy's socket; empty if the proxy is reached in another way. */
    public static Optional<Mount> of(JobProxy proxy) {
        return proxy.hostSocket().map(socket -> new Mount(socket, JobProxy.SHARED_SOCKET, false));
    }

    /** Returns the mounts of a job's volumes. */
    public static List<Mount> of(Job job) {
        return job.volumes().stream()
                .map(volume -> new Mount(volume.source(), volume.target(), volume.writable()))
                .toList();
    }
}
