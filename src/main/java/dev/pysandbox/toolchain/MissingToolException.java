package dev.pysandbox.toolchain;

/** uv or a Python is not available; the message says why and what to do. */
public final class MissingToolException extends Exception {
    public MissingToolException(String message) {
        super(message);
    }

    public MissingToolException(String message, Throwable cause) {
        super(message, cause);
    }
}
