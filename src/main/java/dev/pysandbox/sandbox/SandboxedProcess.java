package dev.pysandbox.sandbox;

import dev.pysandbox.support.ByteSize;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** A process that a {@link Sandbox} started, on this machine or another: its streams, what it uses, its end. */
public interface SandboxedProcess extends AutoCloseable {
    OutputStream stdin();

    InputStream stdout();

    InputStream stderr();

    /** Waits for the exit code. */
    int waitFor() throws InterruptedException;

    /** Waits for the end; returns false if the limit passed first. */
    boolean waitFor(Duration limit) throws InterruptedException;

    /** The path inside of the socket of the proxy to the internet; empty if the process has no proxy. */
    Optional<Path> proxySocket();

    /** The connections that the proxy refused, as {@code host:port (reason)}. */
    List<String> refusedConnections();

    /** Lets the proxy accept connections; until then it accepts none. */
    void openEgress();

    /** The CPU time and memory of all processes inside, measured from outside; empty where that is not possible. */
    Optional<Activity> activity();

    /** The memory of all processes inside, measured from outside; empty where that is not possible. */
    Optional<ByteSize> memory();

    /** Whether the kernel killed a process inside because the memory limit was reached; false where it does not count. */
    boolean outOfMemory();

    /** The highest memory use of all processes together; empty where the kernel does not count it. */
    Optional<ByteSize> peakMemory();

    /** Kills every process inside, waits until all are dead and frees what they held; a second call waits for the first. */
    @Override
    void close();

    /** Whether it is closed and every process inside is known to be dead. */
    boolean isDead();
}
