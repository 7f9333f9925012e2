package dev.pysandbox.api;

/** What a stream carried: its text, cut in the middle where it was too long, and how many bytes there were in all. */
public record CapturedText(String text, long bytes, boolean truncated) {
    public static final CapturedText EMPTY = new CapturedText("", 0, false);
}
