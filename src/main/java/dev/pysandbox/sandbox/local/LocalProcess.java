package dev.pysandbox.sandbox.local;

import dev.pysandbox.sandbox.Activity;
import dev.pysandbox.sandbox.JobProxy;
import dev.pysandbox.sandbox.MemoryCount;
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

/** A sandboxed process that this server started as a child process. */
public final class LocalProcess implements SandboxedProcess {
    private static final Logger log = LoggerFactory.getLogger(LocalProcess.class);
    private static final int SECONDS_TO_DIE = 10;
    private static final Duration TIME_TO_CLOSE = Duration.ofMillis(200);

    /** A step of {@link #close}. */
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
    private final Step raise;
    private final Object ending = new Object();
    private volatile boolean closed;
    private volatile boolean dead;

    /**
     * @param kill kills all processes inside the sandbox, also if the child process has ended; the child process is
     *     killed after it
     * @param cleanup run after that, in this order
     * @param proxy closed last
     * @param tree finds the processes inside the sandbox, if they run on this machine
     */
    public LocalProcess(
            Process process,
            Step kill,
            List<Step> cleanup,
            Optional<JobProxy> proxy,
            MemoryCount count,
            Supplier<Optional<ProcessTree>> tree) {
        this(process, process.getInputStream(), kill, cleanup, proxy, count, tree, () -> {});
    }

    /**
     * @param stdout the standard output of the process, possibly wrapped
     * @param raise gives the processes the normal priority
     */
    public LocalProcess(
            Process process,
            InputStream stdout,
            Step kill,
            List<Step> cleanup,
            Optional<JobProxy> proxy,
            MemoryCount count,
            Supplier<Optional<ProcessTree>> tree,
            Step raise) {
        this.process = process;
        this.stdout = stdout;
        this.kill = kill;
        this.cleanup = List.copyOf(cleanup);
        this.proxy = proxy;
        this.count = count;
        this.tree = tree;
        this.raise = raise;
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
    public MemoryCount memoryCount() {
        return count;
    }

    @Override
    public void raisePriority() {
        attempt(raise);
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
                log.error("process {} or its sandbox did not die within {} s", process.pid(), SECONDS_TO_DIE);
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

    /** Closes the input on another thread, because closing a Java stream waits for a blocked write. */
    public static void closeInput(Process process) {
        Thread closer = Threads.daemon(
                "input-closer", () -> attempt(() -> process.getOutputStream().close()));
        try {
            closer.start();
        } catch (OutOfMemoryError e) { // no thread could be started: the end of the process closes it too
            return;
        }
        Threads.awaitEnd(closer, TIME_TO_CLOSE);
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
