package dev.pysandbox.sandbox;

import dev.pysandbox.process.ByteSize;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A process behind a wall: its streams, and its end. */
public final class SandboxedProcess implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(SandboxedProcess.class);
    private static final int SECONDS_TO_DIE = 10;
    private static final int MILLIS_TO_CLOSE = 200;

    /** Something to be done when the process ends. */
    interface Ending {
        void run() throws IOException;
    }

    private final Process process;
    private final InputStream stdout;
    private final Ending kill;
    private final List<Ending> cleanup;
    private final Optional<Outlet> outlet;
    private final Optional<Cgroup> group;
    private final Supplier<Optional<ProcessTree>> tree;
    private final Object ending = new Object();
    private volatile boolean closed;
    private volatile boolean dead;

    /**
     * @param kill ends all that runs inside, also where the process itself has ended; that one is killed after it
     * @param cleanup what to free after that, in order
     * @param outlet its way out, which is closed at last
     * @param group in which the kernel counts what it uses
     * @param tree finds the processes inside, where they are this machine's
     */
    SandboxedProcess(
            Process process,
            Ending kill,
            List<Ending> cleanup,
            Optional<Outlet> outlet,
            Optional<Cgroup> group,
            Supplier<Optional<ProcessTree>> tree) {
        this(process, process.getInputStream(), kill, cleanup, outlet, group, tree);
    }

    /** @param stdout the process's own, wrapped */
    SandboxedProcess(
            Process process,
            InputStream stdout,
            Ending kill,
            List<Ending> cleanup,
            Optional<Outlet> outlet,
            Optional<Cgroup> group,
            Supplier<Optional<ProcessTree>> tree) {
        this.process = process;
        this.stdout = stdout;
        this.kill = kill;
        this.cleanup = List.copyOf(cleanup);
        this.outlet = outlet;
        this.group = group;
        this.tree = tree;
    }

    public OutputStream stdin() {
        return process.getOutputStream();
    }

    public InputStream stdout() {
        return stdout;
    }

    public InputStream stderr() {
        return process.getErrorStream();
    }

    public int waitFor() throws InterruptedException {
        return process.waitFor();
    }

    /** Waits for an end that is near; false if the limit came first. */
    public boolean waitFor(Duration limit) throws InterruptedException {
        return process.waitFor(limit.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** Where the process finds the socket of the proxy through which it reaches the internet; empty if it has none. */
    public Optional<Path> proxySocket() {
        return outlet.map(Outlet::socket);
    }

    /** The connections that the proxy refused, as {@code host:port (reason)}. */
    public List<String> refusedConnections() {
        return outlet.map(Outlet::refused).orElse(List.of());
    }

    /** Lets the process reach the proxy; until then its connections are not accepted. */
    public void openEgress() {
        outlet.ifPresent(Outlet::open);
    }

    /** What all processes inside have used, measured from outside; empty where it can't be measured. */
    public Optional<Activity> activity() {
        return tree.get().flatMap(ProcessTree::activity);
    }

    /** The memory that all processes inside hold, measured from outside; empty where it can't be measured. */
    public Optional<ByteSize> memory() {
        return tree.get().flatMap(ProcessTree::memory);
    }

    /** Whether the kernel killed something inside for want of memory, where it counts the memory of this sandbox. */
    public boolean outOfMemory() {
        return group.map(Cgroup::outOfMemory).orElse(false);
    }

    /** The most memory that was in use at once, where the kernel counts it. */
    public Optional<ByteSize> peakMemory() {
        return group.flatMap(Cgroup::peakMemory);
    }

    /** Ends everything inside, waits until it is gone and frees what it held; a second call waits for the first. */
    @Override
    public void close() {
        synchronized (ending) {
            if (!closed) {
                end();
                closed = true;
            }
        }
    }

    private void end() {
        boolean interrupted = Thread.interrupted();
        try {
            boolean killed = attempt(kill);
            process.destroyForcibly();
            dead = process.waitFor(SECONDS_TO_DIE, TimeUnit.SECONDS) && killed;
            if (!dead) {
                log.error("process {} or one of its sandbox did not die within {} s", process.pid(), SECONDS_TO_DIE);
            }
        } catch (InterruptedException e) {
            interrupted = true;
        } finally {
            closeInput(process);
            attempt(() -> process.getInputStream().close());
            attempt(() -> process.getErrorStream().close());
            cleanup.forEach(SandboxedProcess::attempt);
            outlet.ifPresent(Outlet::close);
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Closes the input without waiting for a write that is blocked: Java's streams would. */
    static void closeInput(Process process) {
        Thread closer = new Thread(() -> attempt(() -> process.getOutputStream().close()), "input-closer");
        closer.setDaemon(true);
        try {
            closer.start();
        } catch (OutOfMemoryError e) { // no thread: the process's death closes it too
            return;
        }
        boolean interrupted = Thread.interrupted();
        try {
            closer.join(MILLIS_TO_CLOSE);
        } catch (InterruptedException e) {
            interrupted = true;
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Whether it is closed and every process inside is known to have ended. */
    public boolean isDead() {
        return closed && dead;
    }

    private static boolean attempt(Ending ending) {
        try {
            ending.run();
            return true;
        } catch (IOException e) {
            log.debug("while ending a sandboxed process: {}", e.toString());
            return false;
        }
    }
}
