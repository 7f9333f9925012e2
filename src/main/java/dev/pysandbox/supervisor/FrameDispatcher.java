package dev.pysandbox.supervisor;

import dev.pysandbox.api.ExecutionListener;
import dev.pysandbox.support.ByteSize;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Checks the frames of one sandbox and passes them on. Frames in a wrong order or beyond the limits are errors.
 *
 * <p>Code of a script or a package may send frames in place of the supervisor. So each type of frame is accepted only
 * in its phase, and the number, the size and the total size of the items of a task are limited.
 */
final class FrameDispatcher implements Frame.Limit {
    /** The state of the sandbox according to the frames so far. */
    private enum Phase {
        STARTING,
        READY,
        RUNNING,
        OVER,
        ENDED
    }

    private final CompletableFuture<ByteSize> ready = new CompletableFuture<>();
    private final CompletableFuture<Boolean> over = new CompletableFuture<>();
    private final CompletableFuture<TaskResult> ended = new CompletableFuture<>();
    private volatile boolean accepted;
    private volatile Optional<TaskListener> listener = Optional.empty();
    private volatile Set<String> expectedVariables = Set.of();
    private volatile long mostLargeBytes;
    private final AtomicLong largeBytesReceived = new AtomicLong();

    // The fields below are used only by the reading thread.
    private Phase phase = Phase.STARTING;
    private final Set<String> variables = new HashSet<>();
    private boolean hasValue;
    private int files;
    private int listedFiles;
    private int fileBytesLeft = Bound.ALL_FILE_BYTES.most();
    private int variableBytesLeft = Bound.ALL_VARIABLE_BYTES.most();
    private OutputStream large = OutputStream.nullOutputStream();
    private long largeLeft;
    private long largeBytesAnnounced;

    /** Returns a future that completes when the sandbox waits for its task, with the memory use that it reports. */
    CompletableFuture<ByteSize> ready() {
        return ready;
    }

    /** Returns whether the sandbox has accepted its task. */
    boolean accepted() {
        return accepted;
    }

    /** Returns a future that completes when no process of the task runs any more. */
    CompletableFuture<Boolean> over() {
        return over;
    }

    /** Returns a future that completes when everything has arrived. */
    CompletableFuture<TaskResult> ended() {
        return ended;
    }

    /** Sets the receiver of the task's frames. Called once, before the task is sent. */
    void expect(Task task, TaskListener receiver) {
        expectedVariables = Set.copyOf(task.variables());
        mostLargeBytes = task.keep().bytes();
        listener = Optional.of(receiver);
    }

    /** Returns the bytes of large files that have arrived so far. */
    long largeBytesReceived() {
        return largeBytesReceived.get();
    }

    @Override
    public int longest(ReportType type) throws IOException {
        if (!isAllowed(type)) {
            throw new Frame.BrokenProtocolException("a frame of type " + type + " while " + phase);
        }
        return switch (type) {
            case VARIABLE -> Math.min(type.longest(), variableBytesLeft);
            case FILE -> Bound.NAME_BYTES.most() + 1 + Math.min(Bound.FILE_BYTES.most(), fileBytesLeft);
            default -> type.longest();
        };
    }

    private boolean isAllowed(ReportType type) {
        return switch (type) {
            case READY -> phase == Phase.STARTING;
            case ACCEPTED -> phase == Phase.READY && listener.isPresent();
            case STDOUT, STDERR, DONE -> phase == Phase.RUNNING;
            case VALUE -> phase == Phase.OVER && !hasValue;
            case VARIABLE, FILE, LARGE_FILE, PART, FILE_NOT_SENT, EXIT -> phase == Phase.OVER;
            case FAILED -> phase != Phase.ENDED;
        };
    }

    /** Handles a frame that {@link #longest} has allowed. */
    void accept(Frame frame) throws IOException {
        byte[] payload = frame.payload();
        if (frame.type() != ReportType.PART) {
            endLargeFile();
        }
        switch (frame.type()) {
            case READY -> {
                phase = Phase.READY;
                ready.complete(new ByteSize(size(text(payload, 0, payload.length))));
            }
            case ACCEPTED -> {
                phase = Phase.RUNNING;
                accepted = true;
            }
            case STDOUT -> receiver().output(ExecutionListener.Stream.STDOUT, payload, frame.length());
            case STDERR -> receiver().output(ExecutionListener.Stream.STDERR, payload, frame.length());
            case DONE -> {
                phase = Phase.OVER;
                receiver().over();
                over.complete(true);
            }
            case VARIABLE -> takeVariable(payload);
            case VALUE -> {
                hasValue = true;
                receiver().value(text(payload, 0, payload.length));
            }
            case FILE -> takeFile(payload);
            case LARGE_FILE -> beginLargeFile(payload);
            case PART -> continueLargeFile(frame);
            case FILE_NOT_SENT -> {
                int end = listedName(payload);
                receiver().fileNotSent(text(payload, 0, end), size(text(payload, end + 1, payload.length)));
            }
            case EXIT -> {
                phase = Phase.ENDED;
                listener = Optional.empty(); // frees the memory of its files
                ended.complete(TaskResult.parse(text(payload, 0, payload.length)));
            }
            case FAILED -> throw new IOException("the supervisor failed: " + text(payload, 0, payload.length));
        }
    }

    private void takeVariable(byte[] payload) throws IOException {
        int end = nameEnd(payload);
        String name = text(payload, 0, end);
        variableBytesLeft -= payload.length;
        if (!expectedVariables.contains(name) || !variables.add(name)) {
            throw new Frame.BrokenProtocolException("a variable that was not requested");
        }
        receiver().variable(name, rest(payload, end));
    }

    private void takeFile(byte[] payload) throws IOException {
        int end = nameEnd(payload);
        requireAtMost(++files, Bound.FILES.most());
        fileBytesLeft -= Math.min(fileBytesLeft, payload.length - end - 1);
        receiver().file(text(payload, 0, end), rest(payload, end));
    }

    private void beginLargeFile(byte[] payload) throws IOException {
        int end = listedName(payload);
        largeLeft = size(text(payload, end + 1, payload.length));
        if (largeLeft > mostLargeBytes - largeBytesAnnounced) {
            throw new Frame.BrokenProtocolException("larger files than were requested");
        }
        largeBytesAnnounced += largeLeft;
        large = receiver().largeFile(text(payload, 0, end), largeLeft);
    }

    private void continueLargeFile(Frame frame) throws IOException {
        largeLeft -= frame.length();
        largeBytesReceived.addAndGet(frame.length());
        if (largeLeft < 0) {
            throw new Frame.BrokenProtocolException("more of a file than its size");
        }
        large.write(frame.payload(), 0, frame.length());
    }

    /** Fails all futures that are not complete, because no more frames will arrive. */
    void fail(Exception why) {
        try {
            endLargeFile();
        } catch (IOException e) {
            why.addSuppressed(e);
        }
        listener = Optional.empty();
        ready.completeExceptionally(why);
        over.completeExceptionally(why);
        ended.completeExceptionally(why);
    }

    /** Closes the current large file, complete or not. */
    private void endLargeFile() throws IOException {
        OutputStream ending = large;
        large = OutputStream.nullOutputStream();
        largeLeft = 0;
        ending.close();
    }

    private TaskListener receiver() {
        return listener.orElseThrow();
    }

    private int listedName(byte[] payload) throws IOException {
        requireAtMost(++listedFiles, Bound.LISTED_FILES.most());
        return nameEnd(payload);
    }

    private static void requireAtMost(int number, int most) throws IOException {
        if (number > most) {
            throw new Frame.BrokenProtocolException("more than " + most + " items");
        }
    }

    private static long size(String digits) throws IOException {
        try {
            long size = Long.parseLong(digits);
            if (size < 0) {
                throw new NumberFormatException(digits);
            }
            return size;
        } catch (NumberFormatException e) {
            throw new Frame.BrokenProtocolException("a size that is not a number");
        }
    }

    /** Returns the index of the NUL after the name. */
    private static int nameEnd(byte[] payload) throws IOException {
        for (int i = 0; i < Math.min(payload.length, Bound.NAME_BYTES.most() + 1); i++) {
            if (payload[i] == 0) {
                return i;
            }
        }
        throw new Frame.BrokenProtocolException("a payload without a name");
    }

    private static String text(byte[] payload, int from, int to) {
        return new String(payload, from, to - from, StandardCharsets.UTF_8);
    }

    private static byte[] rest(byte[] payload, int end) {
        return Arrays.copyOfRange(payload, end + 1, payload.length);
    }
}
