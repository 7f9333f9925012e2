package dev.pysandbox.supervisor;

import dev.pysandbox.process.ByteSize;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Takes what comes out of one sandbox, in bounds, and tells those who wait for it. */
final class Inbox {
    private static final int MOST_FILES = 64;
    private static final int MOST_LISTED_FILES = 256;
    private static final int MOST_VARIABLES = 256;

    private final CompletableFuture<ByteSize> ready = new CompletableFuture<>();
    private final CompletableFuture<Boolean> over = new CompletableFuture<>();
    private final CompletableFuture<Ending> ended = new CompletableFuture<>();
    private volatile boolean accepted;
    private volatile Optional<Report> report = Optional.empty();
    private int files;
    private int listedFiles;
    private int variables;
    private OutputStream large = OutputStream.nullOutputStream();
    private long largeLeft;

    /** How much memory it holds, as far as it tells, when it waits for its task. */
    CompletableFuture<ByteSize> ready() {
        return ready;
    }

    /** Whether it took its task over. */
    boolean accepted() {
        return accepted;
    }

    /** Done when nothing of the task runs any more. */
    CompletableFuture<Boolean> over() {
        return over;
    }

    /** Done when all has come. */
    CompletableFuture<Ending> ended() {
        return ended;
    }

    /** Says who is to hear of the task, which is about to be given. */
    void reportTo(Report hearer) {
        report = Optional.of(hearer);
    }

    void accept(Frame frame) throws IOException {
        byte[] payload = frame.payload();
        if (frame.type() != 'C') {
            endLargeFile();
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
                ended.complete(Ending.parse(text(payload, 0, payload.length)));
                over.complete(true);
            }
            default -> throw new IOException("the supervisor failed: " + text(payload, 0, payload.length));
        }
    }

    /** Tells all who still wait that nothing more comes, and why. */
    void breakOff(Exception why) {
        try {
            endLargeFile();
        } catch (IOException e) {
            why.addSuppressed(e);
        }
        ready.completeExceptionally(why);
        over.completeExceptionally(why);
        ended.completeExceptionally(why);
    }

    /** Ends the large file that was coming, as a whole or in part. */
    private void endLargeFile() throws IOException {
        OutputStream ending = large;
        large = OutputStream.nullOutputStream();
        largeLeft = 0;
        ending.close();
    }

    private Report reporting() throws IOException {
        return report.orElseThrow(() -> new Frame.BrokenProtocolException("something before it was asked"));
    }

    private static int count(int number, int most, int value) throws IOException {
        if (number > most) {
            throw new Frame.BrokenProtocolException("more than " + most + " items");
        }
        return value;
    }

    private static long size(String digits) throws IOException {
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

    private static int nameEnd(byte[] payload) throws IOException {
        for (int i = 0; i < payload.length; i++) {
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
