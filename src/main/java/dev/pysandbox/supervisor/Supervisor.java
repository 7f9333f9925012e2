package dev.pysandbox.supervisor;

import dev.pysandbox.sandbox.Activity;
import dev.pysandbox.sandbox.Job;
import dev.pysandbox.sandbox.Sandbox;
import dev.pysandbox.sandbox.SandboxedProcess;
import dev.pysandbox.support.ByteSize;
import dev.pysandbox.support.Threads;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A sandbox whose first process is the supervisor, supervisor.py. It waits for one task, runs it and exits.
 *
 * <p>The thread that calls {@link #run} enforces the timeout. It waits only for other threads, never for the sandbox:
 * one thread reads the output, another writes a task whose writing could block, a third kills the sandbox. So no code
 * in the sandbox can delay the timeout.
 */
public final class Supervisor implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Supervisor.class);
    private static final Duration TIME_TO_START = Duration.ofSeconds(30);

    /** The supervisor gives a script 0.3 s to flush its output, kills it and sends its files. */
    private static final Duration TIME_TO_STOP = Duration.ofMillis(1500);

    /** How long a caller waits until a sandbox is killed. After that, killing continues in the background. */
    private static final Duration TIME_TO_KILL = Duration.ofMillis(500);

    /** Large files that have arrived extend the time to stop by the time that they take at this rate. */
    private static final long BYTES_PER_SECOND = 16 << 20;

    private final SandboxedProcess process;
    private final boolean importsFirst;
    private final String unexpectedEnd;
    private final FrameDispatcher frames = new FrameDispatcher();
    private final AtomicReference<Runnable> onClosed = new AtomicReference<>(() -> {});
    private final AtomicBoolean closing = new AtomicBoolean();
    private final CountDownLatch readerMayClose = new CountDownLatch(1);
    private final CountDownLatch closed = new CountDownLatch(1);

    private Supervisor(SandboxedProcess process, boolean importsFirst, String unexpectedEnd) {
        this.process = process;
        this.importsFirst = importsFirst;
        this.unexpectedEnd = unexpectedEnd;
    }

    /** Starts a sandbox for a task that is sent at once. */
    public static Supervisor start(Sandbox sandbox, Job job) throws IOException {
        return start(sandbox, job, Preparation.NONE);
    }

    /**
     * Starts a sandbox and returns before it is ready. If it still imports modules when the task is sent, that time
     * counts as the task's.
     */
    public static Supervisor start(Sandbox sandbox, Job job, Preparation preparation) throws IOException {
        SandboxedProcess process = sandbox.start(job);
        Supervisor supervisor = new Supervisor(process, !preparation.imports().isEmpty(), sandbox.unexpectedEnd());
        attempt(() -> Setup.of(job.limits(), sandbox.capabilities(), process, preparation)
                .writeTo(process.stdin()));
        try {
            Threads.startDaemon("supervisor", supervisor::readThenClose);
        } catch (OutOfMemoryError e) {
            process.close();
            throw new IOException("can't start a thread for a sandbox: " + e.getMessage(), e);
        }
        return supervisor;
    }

    /** Waits until the sandbox is ready for its task. Returns the memory use that it reports. */
    public ByteSize awaitReady() throws SupervisorException, InterruptedException {
        return await(
                frames.ready(), TIME_TO_START, "the sandbox did not start within " + TIME_TO_START.toSeconds() + " s");
    }

    /** Returns whether it has neither ended nor begun to close. */
    public boolean isAlive() {
        return !frames.ended().isDone() && !closing.get();
    }

    /**
     * Runs one task and waits for its end, at most for the timeout and {@link #TIME_TO_STOP}, longer only while large
     * files arrive. After an interrupt the caller must close the sandbox, which kills the task.
     */
    public TaskResult run(Task task, TaskListener listener, Duration timeout)
            throws SupervisorException, InterruptedException {
        frames.expect(task, listener);
        long given = System.nanoTime();
        send(task);
        process.openEgress();
        if (!importsFirst) {
            awaitReady();
            given = System.nanoTime();
        }
        try {
            long end = given + timeout.toNanos();
            if (isDoneBy(frames.over(), end)) {
                return asCounted(collected(end + TIME_TO_STOP.toNanos()));
            }
            return asCounted(stop(end + TIME_TO_STOP.toNanos()));
        } catch (SupervisorException e) {
            if (process.memoryCount().outOfMemory()) { // the kernel killed the supervisor
                return asCounted(TaskResult.killed(false));
            }
            throw e;
        }
    }

    /** Returns whether it has accepted a task. If not, no code of the task has run. */
    public boolean accepted() {
        return frames.accepted();
    }

    /** Returns the connections that the proxy refused, as {@code host:port (reason)}. */
    public List<String> refusedConnections() {
        return process.refusedConnections();
    }

    /** Returns what its processes have used, measured from outside; empty if it can't be measured. */
    public Optional<Activity> activity() {
        return process.activity();
    }

    /** Returns the memory of its processes, measured from outside; empty if it can't be measured. */
    public Optional<ByteSize> memory() {
        return process.memory();
    }

    /** Gives a sandbox that was started at low priority the normal priority. */
    public void raisePriority() {
        process.raisePriority();
    }

    /** Returns whether it imports modules before its task arrives. */
    public boolean importsFirst() {
        return importsFirst;
    }

    /** Kills the processes inside and waits until they are dead and their resources are freed. */
    @Override
    public void close() {
        beginClosing();
        awaitUninterruptibly(closed, Duration.ofDays(1));
    }

    /**
     * Begins to close it. Returns at once if its task has ended, else when it is closed or after {@link #TIME_TO_KILL}.
     * The rest is done in the background; {@link #close} waits for it.
     */
    public void closeInBackground() {
        boolean done = hasDoneItsTask();
        beginClosing();
        if (!done) {
            awaitUninterruptibly(closed, TIME_TO_KILL);
        }
    }

    /**
     * Closes on the reading thread if the task has ended. Otherwise that thread may be blocked, so another thread
     * closes.
     */
    private void beginClosing() {
        if (!closing.compareAndSet(false, true)) {
            return;
        }
        if (hasDoneItsTask()) {
            readerMayClose.countDown();
        } else {
            try {
                Threads.startDaemon("sandbox-killer", this::end);
            } catch (OutOfMemoryError e) { // can't start a thread: the caller closes it
                end();
            }
        }
    }

    private boolean hasDoneItsTask() {
        return frames.ended().isDone() && !frames.ended().isCompletedExceptionally();
    }

    private void end() {
        try {
            // A supervisor whose task has ended exits by itself, faster than it could be killed.
            if (hasDoneItsTask()) {
                process.waitFor(TIME_TO_STOP);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            try {
                process.close();
            } finally {
                closed.countDown();
                readerMayClose.countDown();
                onClosed.getAndSet(() -> {}).run();
            }
        }
    }

    /** Sets an action that runs once, after it is closed. */
    public void afterClose(Runnable action) {
        onClosed.set(action);
    }

    /** Returns whether it is closed and every process inside is known to be dead. */
    public boolean isDead() {
        return process.isDead();
    }

    public boolean isClosed() {
        return closed.getCount() == 0;
    }

    /**
     * Sends the task. A short task fits into an empty pipe. Otherwise writing may block, so another thread writes: also
     * if code of a package has already run, because it may have filled the pipe.
     */
    private void send(Task task) {
        Writing writing = () -> task.writeTo(process.stdin());
        if (task.isShort() && !importsFirst) {
            attempt(writing);
        } else {
            Threads.startDaemon("task-writer", () -> attempt(writing));
        }
    }

    /** Writes something to the sandbox. */
    private interface Writing {
        void run() throws IOException;
    }

    private static void attempt(Writing writing) {
        try {
            writing.run();
        } catch (IOException e) {
            log.debug("can't write to a sandbox: {}", e.toString()); // the reading thread reports the cause
        }
    }

    /** Adds the kernel's memory counts, which are more exact and include the time after the supervisor's death. */
    private TaskResult asCounted(TaskResult reported) {
        return new TaskResult(
                reported.exitCode(),
                reported.cpu(),
                process.memoryCount().peak().orElse(reported.peakMemory()),
                reported.outOfMemory()
                        || (reported.exitCode() != 0 && process.memoryCount().outOfMemory()),
                reported.tooManyFiles(),
                reported.missingFigures(),
                reported.timedOut());
    }

    /** Asks the supervisor to end the task, and collects what it still sends. */
    private TaskResult stop(long deadline) throws InterruptedException {
        Threads.startDaemon("task-writer", () -> attempt(this::writeStop));
        try {
            return collected(deadline).asTimedOut();
        } catch (SupervisorException e) {
            return TaskResult.killed(true);
        }
    }

    private void writeStop() throws IOException {
        Frame.write(process.stdin(), CommandType.STOP, "");
        process.stdin().flush();
    }

    private TaskResult collected(long deadline) throws SupervisorException, InterruptedException {
        long extended = deadline;
        while (!isDoneBy(frames.ended(), extended)) {
            long before = extended;
            extended = deadline + frames.largeBytesReceived() * TimeUnit.SECONDS.toNanos(1) / BYTES_PER_SECOND;
            if (extended - before <= 0) {
                throw new SupervisorException("the script's files did not arrive in time");
            }
        }
        return frames.ended().join();
    }

    /** Returns whether a future completes before the deadline; throws if it fails. */
    private static boolean isDoneBy(Future<?> future, long deadline) throws SupervisorException, InterruptedException {
        try {
            future.get(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
            return true;
        } catch (ExecutionException e) {
            throw failure(e);
        } catch (TimeoutException e) {
            return false;
        }
    }

    private static <T> T await(Future<T> future, Duration timeout, String otherwise)
            throws SupervisorException, InterruptedException {
        try {
            return future.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            throw failure(e);
        } catch (TimeoutException e) {
            throw new SupervisorException(otherwise, e);
        }
    }

    private static SupervisorException failure(ExecutionException e) {
        Throwable cause = e.getCause() == null ? e : e.getCause();
        return new SupervisorException(String.valueOf(cause.getMessage()), cause);
    }

    private void readThenClose() {
        readFrames();
        try {
            readerMayClose.await();
            if (!isClosed()) {
                end();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // does not happen: nothing interrupts this thread
        }
    }

    private void readFrames() {
        try (InputStream in = new BufferedInputStream(process.stdout(), 1 << 17)) {
            byte[] buffer = Frame.outputBuffer();
            while (!frames.ended().isDone()) {
                Optional<Frame> frame = Frame.read(in, buffer, frames);
                if (frame.isEmpty()) {
                    throw new IOException(unexpectedEnd + errorOutput());
                }
                frames.accept(frame.get());
            }
        } catch (IOException | RuntimeException e) {
            frames.fail(e);
        } catch (OutOfMemoryError e) {
            frames.fail(new IOException("the server has not enough memory for what the script sends", e));
        }
    }

    /** Returns the error output of bwrap, docker or the interpreter; a script's stderr arrives in frames. */
    private String errorOutput() throws IOException {
        byte[] output = process.stderr().readNBytes(2000);
        String text = new String(output, StandardCharsets.UTF_8).strip();
        return text.isEmpty() ? "" : ": " + text;
    }

    private static void awaitUninterruptibly(CountDownLatch latch, Duration most) {
        boolean interrupted = false;
        long end = System.nanoTime() + most.toNanos();
        while (true) {
            try {
                latch.await(end - System.nanoTime(), TimeUnit.NANOSECONDS);
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
