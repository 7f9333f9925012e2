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
 * A sandbox whose first process is our supervisor: it waits inside for one task, runs it, and exits.
 *
 * <p>The thread that calls {@link #run} is the clock: it waits for the other threads and never for the sandbox. Output
 * is read by one thread, a task that could block the writer is written by another, and the sandbox is killed by a third.
 * Nothing that runs inside can stop the clock or extend the time.
 */
public final class Supervisor implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Supervisor.class);
    private static final Duration TIME_TO_START = Duration.ofSeconds(30);

    /** The supervisor gives a script 0.3 s to flush its output, then collects its files. */
    private static final Duration TIME_TO_STOP = Duration.ofMillis(1500);

    /** How long a caller waits for a sandbox that has to be killed; after that it dies in the background. */
    private static final Duration TIME_TO_KILL = Duration.ofMillis(500);

    /** Large files extend the time to collect by as much as they take at this rate, once they have come. */
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

    /** Starts a sandbox for a task that is already there. */
    public static Supervisor start(Sandbox sandbox, Job job) throws IOException {
        return start(sandbox, job, Preparation.NONE);
    }

    /**
     * Starts a sandbox; it may not be ready yet. If it is still importing modules when the task arrives, the time that
     * this takes is part of the task's.
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
            throw new IOException("no thread could be started for a sandbox: " + e.getMessage(), e);
        }
        return supervisor;
    }

    /** Waits until the sandbox waits for its task; returns how much memory it says it holds. */
    public ByteSize awaitReady() throws SupervisorException, InterruptedException {
        return await(
                frames.ready(), TIME_TO_START, "the sandbox did not start within " + TIME_TO_START.toSeconds() + " s");
    }

    /** Whether it can be given a task, now or soon. */
    public boolean isAlive() {
        return !frames.ended().isDone() && !closing.get();
    }

    /**
     * Runs one task and waits for its end, at most for the timeout and {@link #TIME_TO_STOP}. An interrupt leaves it to
     * the caller to close, and so kill, the sandbox.
     */
    public TaskResult run(Task task, TaskListener report, Duration timeout)
            throws SupervisorException, InterruptedException {
        frames.expect(task, report);
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
            if (process.outOfMemory()) { // and the kernel chose the supervisor to die
                return asCounted(TaskResult.killed(false));
            }
            throw e;
        }
    }

    /** Whether it took a task over; of one that it did not, nothing has run. */
    public boolean accepted() {
        return frames.accepted();
    }

    /** The connections that were refused, as {@code host:port (reason)}. */
    public List<String> refusedConnections() {
        return process.refusedConnections();
    }

    /** What its processes have used, measured from outside; empty where it can't be measured. */
    public Optional<Activity> activity() {
        return process.activity();
    }

    /** The memory that it holds, measured from outside; empty where it can't be measured. */
    public Optional<ByteSize> memory() {
        return process.memory();
    }

    /** Kills what still runs inside and waits until nothing of it is left. */
    @Override
    public void close() {
        beginClosing();
        awaitUninterruptibly(closed, Duration.ofDays(1));
    }

    /**
     * Closes it without keeping the caller: after a task that has ended at once, else when everything is dead or {@link
     * #TIME_TO_KILL} has passed. What remains is done in the background; {@link #close} waits for it.
     */
    public void closeInBackground() {
        boolean done = hasDoneItsTask();
        beginClosing();
        if (!done) {
            awaitUninterruptibly(closed, TIME_TO_KILL);
        }
    }

    /** The thread that reads is free once the task has ended; in every other case it may be blocked. */
    private void beginClosing() {
        if (!closing.compareAndSet(false, true)) {
            return;
        }
        if (hasDoneItsTask()) {
            readerMayClose.countDown();
        } else {
            try {
                Threads.startDaemon("sandbox-killer", this::end);
            } catch (OutOfMemoryError e) { // no thread: then it takes the caller's time
                end();
            }
        }
    }

    private boolean hasDoneItsTask() {
        return frames.ended().isDone() && !frames.ended().isCompletedExceptionally();
    }

    private void end() {
        try {
            // A supervisor that has done its task exits by itself, sooner than it could be found and killed.
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

    /** Sets what is to be done, once, when it is closed. */
    public void afterClose(Runnable action) {
        onClosed.set(action);
    }

    /** Whether it is closed and every process inside is known to have ended. */
    public boolean isDead() {
        return process.isDead();
    }

    public boolean isClosed() {
        return closed.getCount() == 0;
    }

    /**
     * A short task fits into any pipe that is empty; in all other cases a thread is started that the sandbox may block.
     * Where code of a package has run already, it may have filled the pipe.
     */
    private void send(Task task) {
        Writing writing = () -> task.writeTo(process.stdin());
        if (task.isShort() && !importsFirst) {
            attempt(writing);
        } else {
            Threads.startDaemon("task-writer", () -> attempt(writing));
        }
    }

    /** Something that is written to the sandbox. */
    private interface Writing {
        void run() throws IOException;
    }

    private static void attempt(Writing writing) {
        try {
            writing.run();
        } catch (IOException e) {
            log.debug("a sandbox does not read its input: {}", e.toString()); // the reading side reports why
        }
    }

    /** The kernel's own count is the better one, and covers what the supervisor did not live to see. */
    private TaskResult asCounted(TaskResult ending) {
        return new TaskResult(
                ending.exitCode(),
                ending.cpu(),
                process.peakMemory().orElse(ending.peakMemory()),
                ending.outOfMemory() || (ending.exitCode() != 0 && process.outOfMemory()),
                ending.tooManyFiles(),
                ending.timedOut());
    }

    /** Asks the supervisor to end the task, and takes what it still sends. */
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
                throw new SupervisorException("the script's files did not come out of the sandbox in time");
            }
        }
        return frames.ended().join();
    }

    /** Whether a future is completed by then; one that failed throws. */
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
            Thread.currentThread().interrupt(); // does not happen: no other code has this thread
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
            frames.breakOff(e);
        } catch (OutOfMemoryError e) {
            frames.breakOff(new IOException("the server has no memory left for what the script sends", e));
        }
    }

    /** What bwrap or the interpreter itself wrote; a script's own stderr comes in frames. */
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
