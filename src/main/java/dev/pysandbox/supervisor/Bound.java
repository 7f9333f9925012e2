package dev.pysandbox.supervisor;

import dev.pysandbox.sandbox.Job;

/**
 * The limits on what a task sends. The server sends them to the supervisor, which applies them, and checks what
 * arrives.
 */
enum Bound {
    FILES(64),
    /** Files of the working folder that are reported, with or without their content. */
    LISTED_FILES(256),
    FILE_BYTES(8 << 20),
    ALL_FILE_BYTES(24 << 20),
    FIGURES(16),
    VARIABLE_BYTES(1 << 16),
    /** Smaller than the limit of files, because a parsed variable takes up to twenty times the bytes of its JSON. */
    ALL_VARIABLE_BYTES(1 << 19),
    NAME_BYTES(1 << 12),
    /** Files that exist at the same time in one of the tmpfs folders; a script that creates more is killed. */
    INODES(Job.MOST_FILES);

    private final int most;

    Bound(int most) {
        this.most = most;
    }

    int most() {
        return most;
    }
}
