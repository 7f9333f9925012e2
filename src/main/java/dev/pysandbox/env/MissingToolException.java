package dev.pysandbox.env;

/** Tells that uv or a Python can't be had, in one sentence with the reason and what to do about it. */
public final class MissingToolException extends Exception {
    public MissingToolException(String message) {
        super(message);
    }

    public MissingToolException(String message, Throwable cause) {
        super(message, cause);
    }
}
