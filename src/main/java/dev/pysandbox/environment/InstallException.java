package dev.pysandbox.environment;

import java.util.Optional;

/** The requirements could not be installed; the message says which and what to change. */
public final class InstallException extends Exception {
    private final transient Optional<NearestVersions> nearest;

    public InstallException(String message) {
        this(message, Optional.empty());
    }

    /** @param nearest what there is instead of a version that does not exist; the message ends with it */
    public InstallException(String message, Optional<NearestVersions> nearest) {
        super(message + nearest.map(versions -> " " + versions).orElse(""));
        this.nearest = nearest;
    }

    InstallException(String message, Throwable cause) {
        super(message, cause);
        this.nearest = Optional.empty();
    }

    /** What there is instead of a version that does not exist. */
    public Optional<NearestVersions> nearest() {
        return nearest;
    }
}
