package dev.pysandbox.sandbox;

/** A sandbox can't be used here, for a known reason. */
final class RefusedException extends Exception {
    private final transient Sandbox.Refusal refusal;

    RefusedException(Sandbox.Refusal refusal) {
        super(refusal.reason());
        this.refusal = refusal;
    }

    Sandbox.Refusal refusal() {
        return refusal;
    }
}
