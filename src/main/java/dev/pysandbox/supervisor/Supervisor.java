package dev.pysandbox.supervisor;

import dev.pysandbox.process.ByteSize;
import dev.pysandbox.sandbox.Job;
import dev.pysandbox.sandbox.Sandbox;
import dev.pysandbox.sandbox.SandboxedProcess;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;

/** A sandbox whose first process is our supervisor: waits inside for one task, does it, and is gone. */
public final class Supervisor implements AutoCloseable {
    private static final Duration TIME_TO_START = Duration.ofSeconds(30);

    /** The supervisor itself gives a script 0.3 s to flush its output, then collects its files. */
    private static final Duration TIME_TO_STOP = Duration.ofSeconds(3);

    /** For the files that a script leaves. */
    private static final Duration TIME_TO_COLLECT = Duration.ofSeconds(60);

    private final SandboxedProcess process;
    private final Task.Surroundings surroundings;
    private final Inbox inbox = new Inbox();
    private final AtomicReference<Runnable> afterwards = new AtomicReference<>(() -> {});
    private final CountDownLatch leaving = new CountDownLatch(1);

    private Supervisor(SandboxedProcess process, Task.Surroundings surroundings) {
        this.process = process;
        this.surroundings = surroundings;
    }

    /** Starts it; it may not be ready yet. */
    public static Supervisor start(Sandbox sandbox, Job job) throws IOException {
        SandboxedProcess process = sandbox.start(job);
        Task.Surroundings surroundings = new Task.Surroundings(
                process.proxySocket().map(Path::toString), sandbox.isolates(), sandbox.isContainer());
        Supervisor supervisor = new Supervisor(process, surroundings);
        Thread reader = new Thread(supervisor::attend, "supervisor");
        reader.setDaemon(true);
        reader.start();
        return supervisor;
    }

    /** Waits until it waits for its task, and says how much memory it then holds, as far as it told. */
    public ByteSize awaitReady() throws SupervisorException, InterruptedException {
        return await(
                inbox.ready(), TIME_TO_START, "the sandbox did not start within " + TIME_TO_START.toSeconds() + " s");
    }

    /** Whether it can be given a task, now or soon. */
    public boolean isAlive() {
        return !inbox.ended().isDone() && !isClosed();
    }

    /** Does one task and waits for its end. An interrupt leaves it to the caller to close, and so kill, it. */
    public Ending run(Task task, Report report, Duration timeout) throws SupervisorException, InterruptedException {
        inbox.reportTo(report);
        if (!task.fitsIntoPipe()) {
            awaitReady();
        }
        try {
            task.writeTo(process.stdin(), surroundings);
        } catch (IOException e) {
            // Whatever made it leave is told by the reading side.
            await(inbox.ended(), TIME_TO_STOP, "the sandbox did not take the task: " + e.getMessage());
        }
        awaitReady();
        try {
            await(inbox.over(), timeout, "");
            return asCounted(collected());
        } catch (SupervisorException e) {
            if (!inbox.over().isDone()) {
                return asCounted(stop());
            }
            if (process.outOfMemory()) { // and the kernel chose the supervisor to die
                return asCounted(Ending.killed(false));
            }
            throw e;
        }
    }

    /** Whether it took a task over; of one that it did not, nothing has run. */
    public boolean accepted() {
        return inbox.accepted();
    }

    /** The connections that were refused, as {@code host:port (reason)}. */
    public List<String> refusedConnections() {
        return process.refusedConnections();
    }

    /** Kills what still runs inside and frees everything; a container, which takes its time, as {@link #seeOff} does. */
    @Override
    public void close() {
        if (surroundings.container()) {
            seeOff();
        } else {
            end();
        }
    }

    /**
     * Closes it behind the caller's back where it has done its task, and so nothing runs in it any more: the answer need
     * not wait for that. Whoever ends the program must {@link #close} it again, which waits.
     */
    public void seeOff() {
        if (hasDoneItsTask() && leaving.getCount() > 0) {
            leaving.countDown();
        } else {
            end();
        }
    }

    private boolean hasDoneItsTask() {
        return inbox.ended().isDone() && !inbox.ended().isCompletedExceptionally();
    }

    private void end() {
        try {
            // One that has done its task ends by itself, sooner than it could be found and killed.
            if (hasDoneItsTask() && !isClosed()) {
                process.waitFor(TIME_TO_STOP);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            process.close();
            leaving.countDown();
            afterwards.getAndSet(() -> {}).run();
        }
    }

    /** Sets what is to be done, once, when it is closed. */
    public void afterClose(Runnable action) {
        afterwards.set(action);
    }

    public boolean isClosed() {
        return process.isClosed();
    }

    /** The kernel's own count is the better one, and covers what the supervisor did not live to see. */
    private Ending asCounted(Ending ending) {
        return new Ending(
                ending.exitCode(),
                ending.cpu(),
                process.peakMemory().orElse(ending.peakMemory()),
                ending.outOfMemory() || (ending.exitCode() != 0 && process.outOfMemory()),
                ending.timedOut());
    }

    private Ending stop() throws InterruptedException {
        try {
            Frame.of('T', "").writeTo(process.stdin());
            process.stdin().flush();
            await(inbox.over(), TIME_TO_STOP, "no answer");
            return collected().asTimedOut();
        } catch (IOException | SupervisorException e) {
            return Ending.killed(true);
        } finally {
            close();
        }
    }

    private Ending collected() throws SupervisorException, InterruptedException {
        return await(
                inbox.ended(),
                TIME_TO_COLLECT,
                "the script's files did not come out of the sandbox within " + TIME_TO_COLLECT.toSeconds() + " s");
    }

    private static <T> T await(Future<T> future, Duration timeout, String otherwise)
            throws SupervisorException, InterruptedException {
        try {
            return future.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw new SupervisorException(String.valueOf(cause.getMessage()), cause);
        } catch (TimeoutException e) {
            throw new SupervisorException(otherwise, e);
        }
    }

    /** What the thread does that listens to it, and sees it off at last. */
    private void attend() {
        readFrames();
        try {
            leaving.await();
            end();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // by nobody: the thread is ours alone
        }
    }

    private void readFrames() {
        try (InputStream in = new BufferedInputStream(process.stdout(), 1 << 17)) {
            byte[] buffer = Frame.outputBuffer();
            while (!inbox.ended().isDone()) {
                Optional<Frame> frame = Frame.read(in, buffer);
                if (frame.isEmpty()) {
                    throw new IOException((surroundings.container()
                                    ? "the container ended without a word, as when the docker engine restarts"
                                    : "the sandbox ended without a word")
                            + complaint());
                }
                inbox.accept(frame.get());
            }
        } catch (IOException | RuntimeException e) {
            inbox.breakOff(e);
        }
    }

    /** What bwrap or the interpreter itself had to say; a script's own stderr comes in frames. */
    private String complaint() throws IOException {
        byte[] said = process.stderr().readNBytes(2000);
        String text = new String(said, StandardCharsets.UTF_8).strip();
        return text.isEmpty() ? "" : ": " + text;
    }
}
