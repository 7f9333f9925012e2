package dev.pysandbox.supervisor;

import dev.pysandbox.process.ByteSize;
import dev.pysandbox.sandbox.Job;
import dev.pysandbox.sandbox.Sandbox;
import dev.pysandbox.sandbox.SandboxedProcess;
import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
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

    private static final int MOST_FILES = 64;
    private static final int MOST_LISTED_FILES = 256;
    private static final int MOST_VARIABLES = 256;

    private final SandboxedProcess process;
    private final Task.Surroundings surroundings;
    private final CompletableFuture<ByteSize> ready = new CompletableFuture<>();
    private final CompletableFuture<Boolean> over = new CompletableFuture<>();
    private final CompletableFuture<Ending> ended = new CompletableFuture<>();
    private volatile Optional<Report> report = Optional.empty();
    private final AtomicReference<Runnable> afterwards = new AtomicReference<>(() -> {});
    private final CountDownLatch leaving = new CountDownLatch(1);
    private volatile boolean timedOut;
    private volatile boolean accepted;

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
        return await(ready, TIME_TO_START, "the sandbox did not start within " + TIME_TO_START.toSeconds() + " s");
    }

    /** Whether it can be given a task, now or soon. */
    public boolean isAlive() {
        return !ended.isDone() && !isClosed();
    }

    /** Does one task and waits for its end. An interrupt leaves it to the caller to close, and so kill, it. */
    public Ending run(Task task, Report report, Duration timeout) throws SupervisorException, InterruptedException {
        this.report = Optional.of(report);
        if (!task.fitsIntoPipe()) {
            awaitReady();
        }
        try {
            task.writeTo(process.stdin(), surroundings);
        } catch (IOException e) {
            // Whatever made it leave is told by the reading side.
            await(ended, TIME_TO_STOP, "the sandbox did not take the task: " + e.getMessage());
        }
        awaitReady();
        try {
            await(over, timeout, "");
            return asCounted(collected());
        } catch (SupervisorException e) {
            if (!over.isDone()) {
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
        return accepted;
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
        return ended.isDone() && !ended.isCompletedExceptionally();
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
        timedOut = true;
        try {
            Frame.of('T', "").writeTo(process.stdin());
            process.stdin().flush();
            await(over, TIME_TO_STOP, "no answer");
            return collected();
        } catch (IOException | SupervisorException e) {
            return Ending.killed(true);
        } finally {
            close();
        }
    }

    private Ending collected() throws SupervisorException, InterruptedException {
        return await(
                ended,
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
        try (InputStream in = new BufferedInputStream(process.stdout(), 1 << 17);
                Receiver receiver = new Receiver()) {
            byte[] buffer = Frame.outputBuffer();
            while (!ended.isDone()) {
                Optional<Frame> frame = Frame.read(in, buffer);
                if (frame.isEmpty()) {
                    throw new IOException((surroundings.container()
                                    ? "the container ended without a word, as when the docker engine restarts"
                                    : "the sandbox ended without a word")
                            + complaint());
                }
                receiver.accept(frame.get());
            }
        } catch (IOException | RuntimeException e) {
            ready.completeExceptionally(e);
            over.completeExceptionally(e);
            ended.completeExceptionally(e);
        }
    }

    /** What bwrap or the interpreter itself had to say; a script's own stderr comes in frames. */
    private String complaint() throws IOException {
        byte[] said = process.stderr().readNBytes(2000);
        String text = new String(said, StandardCharsets.UTF_8).strip();
        return text.isEmpty() ? "" : ": " + text;
    }

    /** Takes the frames of one task, in bounds. */
    private final class Receiver implements Closeable {
        private int files;
        private int listedFiles;
        private int variables;
        private OutputStream large = OutputStream.nullOutputStream();
        private long largeLeft;

        void accept(Frame frame) throws IOException {
            byte[] payload = frame.payload();
            if (frame.type() != 'C') {
                close();
            }
            switch (frame.type()) {
                case 'R' -> ready.complete(new ByteSize(size(text(payload, 0, payload.length))));
                case 'A' -> accepted = true;
                case '1' -> reporting().output(Report.Stream.STDOUT, payload, frame.length());
                case '2' -> reporting().output(Report.Stream.STDERR, payload, frame.length());
                case 'V' -> {
                    int end = count(++variables, MOST_VARIABLES, nameEnd(payload));
                    reporting().variable(text(payload, 0, end), rest(payload, end));
                }
                case 'F' -> {
                    int end = count(++files, MOST_FILES, nameEnd(payload));
                    reporting().file(text(payload, 0, end), rest(payload, end));
                }
                case 'D' -> {
                    reporting().over();
                    over.complete(true);
                }
                case 'L' -> {
                    int end = count(++listedFiles, MOST_LISTED_FILES, nameEnd(payload));
                    largeLeft = size(text(payload, end + 1, payload.length));
                    large = reporting().largeFile(text(payload, 0, end), largeLeft);
                }
                case 'C' -> {
                    largeLeft -= frame.length();
                    if (largeLeft < 0) {
                        throw new Frame.BrokenProtocolException("more of a file than there is");
                    }
                    large.write(payload, 0, frame.length());
                }
                case 'N' -> {
                    int end = count(++listedFiles, MOST_LISTED_FILES, nameEnd(payload));
                    reporting().fileNotSent(text(payload, 0, end), size(text(payload, end + 1, payload.length)));
                }
                case 'X' -> {
                    ended.complete(Ending.parse(text(payload, 0, payload.length), timedOut));
                    over.complete(true);
                }
                default -> throw new IOException("the supervisor failed: " + text(payload, 0, payload.length));
            }
        }

        /** Ends the large file that was coming, as a whole or in part. */
        @Override
        public void close() throws IOException {
            large.close();
            large = OutputStream.nullOutputStream();
            largeLeft = 0;
        }

        private Report reporting() throws IOException {
            return report.orElseThrow(() -> new Frame.BrokenProtocolException("something before it was asked"));
        }

        private int count(int number, int most, int value) throws IOException {
            if (number > most) {
                throw new Frame.BrokenProtocolException("more than " + most + " items");
            }
            return value;
        }

        private long size(String digits) throws IOException {
            try {
                long size = Long.parseLong(digits);
                if (size < 0) {
                    throw new NumberFormatException(digits);
                }
                return size;
            } catch (NumberFormatException e) {
                throw new Frame.BrokenProtocolException("a size that is no number");
            }
        }

        private int nameEnd(byte[] payload) throws IOException {
            for (int i = 0; i < payload.length; i++) {
                if (payload[i] == 0) {
                    return i;
                }
            }
            throw new Frame.BrokenProtocolException("a payload without a name");
        }

        private String text(byte[] payload, int from, int to) {
            return new String(payload, from, to - from, StandardCharsets.UTF_8);
        }

        private byte[] rest(byte[] payload, int end) {
            return Arrays.copyOfRange(payload, end + 1, payload.length);
        }
    }
}
