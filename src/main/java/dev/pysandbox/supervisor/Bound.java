package dev.pysandbox.supervisor;

/** How much a task may send. The supervisor is told these numbers and keeps to them; the server checks that it does. */
enum Bound {
    FILES(64),
    /** Files that are listed without being sent. */
    LISTED_FILES(256),
    FILE_BYTES(8 << 20),
    ALL_FILE_BYTES(24 << 20),
    FIGURES(16),
    VARIABLE_BYTES(1 << 16),
    /** In memory a variable takes up to twenty times the bytes of its JSON. */
    ALL_VARIABLE_BYTES(1 << 19),
    NAME_BYTES(1 << 12),
    /** Files that exist at the same time in one of the folders in memory; a script that makes more is killed. */
    INODES(100_000);

    private final int most;

    Bound(int most) {
        this.most = most;
    }

    int most() {
        return most;
    }
}
