package dev.pysandbox.sandbox;

/** A backend does not work on this machine, for a known reason. */
public final class RefusedException extends Exception {
    private final transient Sandbox.Refusal refusal;

    public RefusedException(Sandbox.Refusal refusal) {
        super(refusal.reason());
        this.refusal = refusal;
    }

    public Sandbox.Refusal refusal() {
        return refusal;
    }
}
