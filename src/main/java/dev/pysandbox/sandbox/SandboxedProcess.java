package dev.pysandbox.sandbox;

import dev.pysandbox.support.ByteSize;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** A process that a {@link Sandbox} started, on this machine or another, together with the processes that it starts. */
public interface SandboxedProcess extends AutoCloseable {
    OutputStream stdin();

    InputStream stdout();

    InputStream stderr();

    /** Waits until the process ends and returns its exit code. */
    int waitFor() throws InterruptedException;

    /** Waits until the process ends. Returns false if the limit passed first. */
    boolean waitFor(Duration limit) throws InterruptedException;

    /** Returns where the process reaches its internet proxy; empty if it has none. */
    Optional<ProxyEndpoint> proxy();

    /** Returns the connections that the proxy refused, as {@code host:port (reason)}. */
    List<String> refusedConnections();

    /** Starts to accept connections to the proxy. Until then they wait. */
    void openEgress();

    /** Returns the CPU time and memory of all processes, measured from outside; empty if they can't be measured. */
    Optional<Activity> activity();

    /** Returns the memory of all processes, measured from outside; empty if it can't be measured. */
    Optional<ByteSize> memory();

    /** Returns the kernel's count of the memory of all processes together. */
    MemoryCount memoryCount();

    /** Gives a job of low priority the normal priority. Does nothing if {@link Sandbox#canRaisePriority} is false. */
    default void raisePriority() {}

    /** Kills every process, waits until all are dead and frees their resources. A second call waits for the first. */
    @Override
    void close();

    /** Returns whether {@link #close} has ended and every process is known to be dead. */
    boolean isDead();
}
