package dev.pysandbox.supervisor;

/** The sandbox did not start, ended unexpectedly or sent invalid frames. */
public final class SupervisorException extends Exception {
    public SupervisorException(String message) {
        super(message);
    }

    SupervisorException(String message, Throwable cause) {
        super(message, cause);
    }
}
