package dev.pysandbox.env;

/** The requirements could not be installed; the message says which and what to change. */
public final class InstallException extends Exception {
    public InstallException(String message) {
        super(message);
    }

    InstallException(String message, Throwable cause) {
        super(message, cause);
    }
}
