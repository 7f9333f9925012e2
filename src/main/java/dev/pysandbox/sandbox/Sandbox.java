package dev.pysandbox.sandbox;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Runs processes that can't harm the host.
 *
 * <p>An implementation MUST guarantee for every job that
 * <ul>
 *   <li>the process sees the job's variables and none of the server's,
 *   <li>its working folder, HOME and TMPDIR are empty, writable and private, and are deleted when it ends,
 *   <li>each volume is at the path that {@link #pathOf} returns, and a read-only volume can't be written to,
 *   <li>its standard streams are pipes to the server, and it inherits no other file descriptor,
 *   <li>{@link SandboxedProcess#close} kills it and every process that it started, directly or indirectly, also
 *       those that detached themselves, and frees their resources,
 *   <li>the same happens when the server dies,
 *   <li>every exit code is a result, never an exception.
 * </ul>
 * A sandbox with {@link Capabilities#isolates} MUST also guarantee that the process can neither read nor write other
 * files of the host, does not see processes of the host, and has exactly the network access that the job specifies.
 */
public interface Sandbox extends AutoCloseable {
    /** Returns the name of the backend in the settings, such as {@code native}. */
    String name();

    /** Returns a description for users, such as {@code bubblewrap 0.8.0}. */
    String description();

    Capabilities capabilities();

    SandboxedProcess start(Job job) throws IOException;

    /** Returns the path at which the process sees a volume. */
    default Path pathOf(Volume volume) {
        return volume.target();
    }

    /** Changes the owner of a folder so that jobs can write to it. Called before the folder is mounted writable. */
    default void allowWriting(Path folder) throws IOException {}

    /** Returns the Python of the image; empty if jobs use the host's Python. */
    default Optional<ImagePython> ownPython() {
        return Optional.empty();
    }

    /** Returns whether {@link SandboxedProcess#raisePriority} can change a job's priority from low to normal. */
    default boolean canRaisePriority() {
        return false;
    }

    default PoolLimits poolLimits() {
        return PoolLimits.LOCAL;
    }

    /** Returns an error message for a process that ended unexpectedly, with the likely cause. */
    default String unexpectedEnd() {
        return "the sandbox ended unexpectedly";
    }

    /** Frees the resources of the sandbox. All its processes must be closed before. */
    @Override
    default void close() {}
}
