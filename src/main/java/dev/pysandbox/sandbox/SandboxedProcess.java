package dev.pysandbox.sandbox;

import dev.pysandbox.support.ByteSize;
import java.io.InputStream;
import java.io.OutputStream;
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

    /** Where the process reaches its proxy to the internet; empty if it has none. */
    Optional<ProxyEndpoint> proxy();

    /** The connections that the proxy refused, as {@code host:port (reason)}. */
    List<String> refusedConnections();

    /** Lets the proxy accept connections; until then it accepts none. */
    void openEgress();

    /** The CPU time and memory of all processes inside, measured from outside; empty where that is not possible. */
    Optional<Activity> activity();

    /** The memory of all processes inside, measured from outside; empty where that is not possible. */
    Optional<ByteSize> memory();

    /** Whether the kernel counts and limits the memory of all processes inside together. */
    boolean limitsMemory();

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
