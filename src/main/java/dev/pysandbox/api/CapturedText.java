package dev.pysandbox.api;

/**
 * The output of a stream.
 *
 * @param text the text, without its middle if it was too long
 * @param bytes the number of all bytes, also of those that are missing in the text
 */
public record CapturedText(String text, long bytes, boolean truncated) {
    public static final CapturedText EMPTY = new CapturedText("", 0, false);
}
