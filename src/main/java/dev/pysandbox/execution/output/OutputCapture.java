package dev.pysandbox.execution.output;

import dev.pysandbox.api.CapturedText;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Keeps the head and the tail of a stream while it is read, in bounded memory. */
final class OutputCapture {
    private final int headSize;
    private final int tailSize;
    private byte[] head = new byte[1024];
    private byte[] tail = new byte[0];
    private long total;

    OutputCapture(long maxBytes) {
        int bounded = (int) Math.min(maxBytes, 1 << 30);
        this.headSize = bounded / 2;
        this.tailSize = bounded - headSize;
    }

    synchronized void append(byte[] bytes, int length) {
        int toHead = (int) Math.max(0, Math.min(headSize - total, length));
        if (toHead > 0) {
            int end = (int) total + toHead;
            if (end > head.length) {
                head = Arrays.copyOf(head, Math.min(headSize, Math.max(end, head.length * 2)));
            }
            System.arraycopy(bytes, 0, head, (int) total, toHead);
            total += toHead;
        }
        // Of bytes that are longer than the tail, only the end is kept.
        int from = Math.max(toHead, length - tailSize);
        total += from - toHead;
        for (int i = from; i < length; ) {
            growTail();
            int at = (int) ((total - headSize) % tailSize);
            int count = Math.min(length - i, Math.min(tail.length, tailSize) - at);
            System.arraycopy(bytes, i, tail, at, count);
            total += count;
            i += count;
        }
    }

    synchronized boolean isEmpty() {
        return total == 0;
    }

    /** Returns the text. If the middle is missing, a line in its place contains the number of missing bytes. */
    synchronized CapturedText text() {
        int inHead = (int) Math.min(total, headSize);
        long afterHead = total - inHead;
        if (afterHead <= tailSize) {
            byte[] all = Arrays.copyOf(head, (int) total);
            System.arraycopy(tail, 0, all, inHead, (int) afterHead);
            return new CapturedText(new String(all, StandardCharsets.UTF_8), total, false);
        }
        byte[] end = new byte[tailSize];
        int start = (int) (afterHead % tailSize);
        System.arraycopy(tail, start, end, 0, tailSize - start);
        System.arraycopy(tail, 0, end, tailSize - start, start);
        int headEnd = wholeCharacters(head, inHead);
        int tailStart = firstCharacter(end);
        long missing = total - headEnd - (tailSize - tailStart);
        String before = new String(head, 0, headEnd, StandardCharsets.UTF_8);
        String after = new String(end, tailStart, tailSize - tailStart, StandardCharsets.UTF_8);
        String line = "[... " + missing + " bytes omitted ...]";
        return new CapturedText(before + (before.endsWith("\n") ? "" : "\n") + line + "\n" + after, total, true);
    }

    /** Returns the last line so far that is not blank; it may be incomplete. */
    synchronized String lastLine() {
        String all = text().text().strip();
        return all.substring(all.lastIndexOf('\n') + 1).strip();
    }

    private void growTail() {
        long needed = total - headSize + 1; // grows by more than the bytes kept if some were skipped
        if (tail.length < tailSize && needed > tail.length) {
            tail = Arrays.copyOf(tail, (int) Math.min(tailSize, Math.max(needed, Math.max(4096, tail.length * 2))));
        }
    }

    /** Length of the prefix that ends at a character boundary. */
    private static int wholeCharacters(byte[] bytes, int length) {
        int start = length;
        while (start > 0 && length - start < 3 && isContinuation(bytes[start - 1])) {
            start--;
        }
        if (start == 0) {
            return length;
        }
        int lead = bytes[start - 1] & 0xff;
        int needed = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
        return length - start + 1 < needed ? start - 1 : length;
    }

    private static int firstCharacter(byte[] bytes) {
        int start = 0;
        while (start < 3 && start < bytes.length && isContinuation(bytes[start])) {
            start++;
        }
        return start;
    }

    private static boolean isContinuation(byte b) {
        return (b & 0xc0) == 0x80;
    }
}
