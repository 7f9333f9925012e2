package dev.pysandbox;

import java.util.Optional;

/** What must be done before the program ends, whichever way it ends. */
final class Cleanup {
    private Optional<AutoCloseable> open = Optional.empty();
    private boolean ended;

    /** What comes too late is closed at once. */
    synchronized void register(AutoCloseable resource) {
        open = Optional.of(resource);
        if (ended) {
            run();
        }
    }

    synchronized void run() {
        ended = true;
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
