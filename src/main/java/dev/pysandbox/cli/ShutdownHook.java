package dev.pysandbox.cli;

import java.util.Optional;

/** What must be done before the program ends, whichever way it ends. */
final class ShutdownHook {
    private Optional<AutoCloseable> open = Optional.empty();
    private volatile int statusWhenStopped;
    private volatile boolean begun;

    /**
     * Closes this at the end; what comes too late is closed at once.
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

    /** Whether the program is ending, so that failures from now on mean nothing. */
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
            System.err.println("while cleaning up: " + e);
        }
    }
}
