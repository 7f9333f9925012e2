package dev.pysandbox.sandbox;

/** A backend does not work on this machine, for a known reason; names the command that fixes it. */
public final class RefusedException extends Exception {
    private final String reason;
    private final String remedy;

    public RefusedException(String reason, String remedy) {
        super(reason + "; to fix: " + remedy);
        this.reason = reason;
        this.remedy = remedy;
    }

    /** Returns the exception for an interrupted check, and keeps the interrupt pending. */
    public static RefusedException interrupted() {
        Thread.currentThread().interrupt();
        return new RefusedException("the server shut down before the backend was tried", "start the server again");
    }

    public String reason() {
        return reason;
    }

    public String remedy() {
        return remedy;
    }
}
