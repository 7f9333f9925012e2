package dev.pysandbox.supervisor;

/** The sandbox did not come up, broke down, or sent what it should not. */
public final class SupervisorException extends Exception {
    public SupervisorException(String message) {
        super(message);
    }

    SupervisorException(String message, Throwable cause) {
        super(message, cause);
    }
}
