package dev.pysandbox.cli;

import java.util.Optional;

/** Closes the sandbox before the program ends, also after a signal. */
final class ShutdownHook {
    private Optional<AutoCloseable> open = Optional.empty();
    private volatile int statusWhenStopped;
    private volatile boolean begun;

    /**
     * Closes the resource at the end; at once if the end has already begun.
     *
     * @param statusWhenStopped the exit code after SIGINT or SIGTERM
     */
    synchronized void register(AutoCloseable resource, int statusWhenStopped) {
        this.open = Optional.of(resource);
        this.statusWhenStopped = statusWhenStopped;
        if (begun) {
            close();
        }
    }

    int statusWhenStopped() {
        return statusWhenStopped;
    }

    /** Whether the program is ending; failures from then on are to be ignored. */
    boolean begun() {
        return begun;
    }

    void run() {
        begun = true;
        close();
    }

    private synchronized void close() {
        try {
            if (open.isPresent()) {
                open.get().close();
                open = Optional.empty();
            }
        } catch (Exception e) {
            System.err.println("cleaning up failed: " + e);
        }
    }
}
