package dev.pysandbox.sandbox;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A way to run a process that can't harm the host.
 *
 * <p>Of every job it starts, an implementation MUST hold that
 * <ul>
 *   <li>the process sees the job's variables and none of the server's own,
 *   <li>its working folder, HOME and TMPDIR exist, are empty, writable and its own, and are gone after its end,
 *   <li>each mount is where {@link #pathOf} says, and one that is read-only can't be written to,
 *   <li>its standard streams are pipes to the server and nothing else is inherited,
 *   <li>{@link SandboxedProcess#close} ends all that it started, transitively, whatever it did to get away, and leaves
 *       nothing behind,
 *   <li>the death of the server does the same,
 *   <li>an exit code is a result, never an exception.
 * </ul>
 * {@link #isolates} ones MUST also hold that nothing else of the host can be read or written, that no process of the
 * host is seen, and that the network is what the job says.
 */
public interface Sandbox extends AutoCloseable {
    /** The name that people choose it by, such as {@code native}. */
    String name();

    /** What it is, for people: {@code bubblewrap 0.8.0}. */
    String description();

    /** Whether it is a wall, rather than tidiness alone. */
    boolean isolates();

    /** Runs something trivial inside; empty if that worked, else why not and what mends it. */
    Optional<Refusal> check();

    SandboxedProcess start(Job job) throws IOException;

    /** Where the process finds a mount. */
    default Path pathOf(Mount mount) {
        return mount.target();
    }

    /** Lets jobs write to a folder of the server that is mounted writable. */
    default void allowWriting(Path folder) throws IOException {}

    /** The Python that it brings itself; empty where the host's is mounted. */
    default Optional<InnerPython> ownPython() {
        return Optional.empty();
    }

    /**
     * Whether an engine runs its jobs. It bounds their processes itself, where a limit for each user would count those
     * of other jobs; the first process of a job stands open to the others; and it takes its time to clear up.
     */
    default boolean isContainer() {
        return false;
    }

    /** Whether the kernel counts and bounds the memory of each job as a whole. */
    default boolean hasControlGroups() {
        return isContainer();
    }

    /** Frees what it holds beside its processes, which are to be closed before. */
    @Override
    default void close() {}

    /** Why a sandbox can't be used here, in a sentence, and the command that mends it. */
    record Refusal(String sandbox, String reason, String remedy) {}
}
