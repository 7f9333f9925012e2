package dev.pysandbox.sandbox;

/** A sandbox can't be used here, for a known reason. */
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
