package dev.pysandbox.sandbox;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Runs processes that can't harm the host.
 *
 * <p>Of every job it starts, an implementation MUST hold that
 * <ul>
 *   <li>the process sees the job's variables and none of the server's own,
 *   <li>its working folder, HOME and TMPDIR exist, are empty, writable and its own, and are gone after its end,
 *   <li>each volume is where {@link #pathOf} says, and one that is read-only can't be written to,
 *   <li>its standard streams are pipes to the server and nothing else is inherited,
 *   <li>{@link SandboxedProcess#close} ends all that it started, transitively, whatever it did to get away, and leaves
 *       nothing behind,
 *   <li>the death of the server does the same,
 *   <li>an exit code is a result, never an exception.
 * </ul>
 * Those that isolate ({@link Capabilities#isolates}) MUST also hold that nothing else of the host can be read or written, that no process of the
 * host is seen, and that the network is what the job says.
 */
public interface Sandbox extends AutoCloseable {
    /** The name that people choose it by, such as {@code native}. */
    String name();

    /** What it is, for people: {@code bubblewrap 0.8.0}. */
    String description();

    Capabilities capabilities();

    SandboxedProcess start(Job job) throws IOException;

    /** Returns the path at which the process sees a volume. */
    default Path pathOf(Volume volume) {
        return volume.target();
    }

    /** Lets jobs write to a folder of the server that is mounted writable. */
    default void allowWriting(Path folder) throws IOException {}

    /** The Python that it brings itself; empty where the host's is mounted. */
    default Optional<ImagePython> ownPython() {
        return Optional.empty();
    }

    default PoolLimits poolLimits() {
        return PoolLimits.LOCAL;
    }

    /** Says that a process ended without a report, with the likely cause. */
    default String unexpectedEnd() {
        return "the sandbox ended unexpectedly";
    }

    /** Frees what it holds beside its processes, which are to be closed before. */
    @Override
    default void close() {}

    /** Why a backend does not work here, in a sentence, and the command that fixes it. */
    record Refusal(String sandbox, String reason, String remedy) {}
}
