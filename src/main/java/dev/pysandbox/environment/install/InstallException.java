package dev.pysandbox.environment.install;

import java.util.Optional;

/** The requirements could not be installed. The message names the reason and what to change. */
public final class InstallException extends Exception {
    private final transient Optional<NearestVersions> nearest;

    public InstallException(String message) {
        this(message, Optional.empty());
    }

    /** @param nearest the existing versions near one that does not exist; appended to the message */
    public InstallException(String message, Optional<NearestVersions> nearest) {
        super(message
                + nearest.map(versions -> (message.contains("\n") ? "\n" : " ") + versions)
                        .orElse(""));
        this.nearest = nearest;
    }

    public InstallException(String message, Throwable cause) {
        super(message, cause);
        this.nearest = Optional.empty();
    }

    /** Returns the existing versions near one that does not exist. */
    public Optional<NearestVersions> nearest() {
        return nearest;
    }
}
