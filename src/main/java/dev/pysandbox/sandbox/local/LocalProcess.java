package dev.pysandbox.sandbox.local;

import dev.pysandbox.sandbox.Activity;
import dev.pysandbox.sandbox.JobProxy;
import dev.pysandbox.sandbox.ProxyEndpoint;
import dev.pysandbox.sandbox.SandboxedProcess;
import dev.pysandbox.support.ByteSize;
import dev.pysandbox.support.Threads;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A sandboxed process whose first process is a child of this server. */
public final class LocalProcess implements SandboxedProcess {
    private static final Logger log = LoggerFactory.getLogger(LocalProcess.class);
    private static final int SECONDS_TO_DIE = 10;
    private static final int MILLIS_TO_CLOSE = 200;

    /** A step that is done when the process ends. */
    public interface Step {
        void run() throws IOException;
    }

    private final Process process;
    private final InputStream stdout;
    private final Step kill;
    private final List<Step> cleanup;
    private final Optional<JobProxy> proxy;
    private final MemoryCount count;
    private final Supplier<Optional<ProcessTree>> tree;
    private final Object ending = new Object();
    private volatile boolean closed;
    private volatile boolean dead;

    /**
     * @param kill ends all that runs inside, also where the process itself has ended; that one is killed after it
     * @param cleanup what to free after that, in order
     * @param proxy closed last
     * @param tree finds the processes inside, if they run on this machine
     */
    public LocalProcess(
            Process process,
            Step kill,
            List<Step> cleanup,
            Optional<JobProxy> proxy,
            MemoryCount count,
            Supplier<Optional<ProcessTree>> tree) {
        this(process, process.getInputStream(), kill, cleanup, proxy, count, tree);
    }

    /** @param stdout the process's own, wrapped */
    public LocalProcess(
            Process process,
            InputStream stdout,
            Step kill,
            List<Step> cleanup,
            Optional<JobProxy> proxy,
            MemoryCount count,
            Supplier<Optional<ProcessTree>> tree) {
        this.process = process;
        this.stdout = stdout;
        this.kill = kill;
        this.cleanup = List.copyOf(cleanup);
        this.proxy = proxy;
        this.count = count;
        this.tree = tree;
    }

    @Override
    public OutputStream stdin() {
        return process.getOutputStream();
    }

    @Override
    public InputStream stdout() {
        return stdout;
    }

    @Override
    public InputStream stderr() {
        return process.getErrorStream();
    }

    @Override
    public int waitFor() throws InterruptedException {
        return process.waitFor();
    }

    @Override
    public boolean waitFor(Duration limit) throws InterruptedException {
        return process.waitFor(limit.toNanos(), TimeUnit.NANOSECONDS);
    }

    @Override
    public Optional<ProxyEndpoint> proxy() {
        return proxy.map(JobProxy::endpoint);
    }

    @Override
    public List<String> refusedConnections() {
        return proxy.map(JobProxy::refused).orElse(List.of());
    }

    @Override
    public void openEgress() {
        proxy.ifPresent(JobProxy::open);
    }

    @Override
    public Optional<Activity> activity() {
        return tree.get().flatMap(ProcessTree::activity);
    }

    @Override
    public Optional<ByteSize> memory() {
        return tree.get().flatMap(ProcessTree::memory);
    }

    @Override
    public boolean limitsMemory() {
        return count.limits();
    }

    @Override
    public boolean outOfMemory() {
        return count.outOfMemory();
    }

    @Override
    public Optional<ByteSize> peakMemory() {
        return count.peak();
    }

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
            cleanup.forEach(LocalProcess::attempt);
            proxy.ifPresent(JobProxy::close);
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Closes the input without waiting for a write that is blocked: Java's streams would. */
    public static void closeInput(Process process) {
        Thread closer = Threads.daemon(
                "input-closer", () -> attempt(() -> process.getOutputStream().close()));
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

    @Override
    public boolean isDead() {
        return closed && dead;
    }

    private static boolean attempt(Step step) {
        try {
            step.run();
            return true;
        } catch (IOException e) {
            log.debug("while ending a sandboxed process: {}", e.toString());
            return false;
        }
    }
}
