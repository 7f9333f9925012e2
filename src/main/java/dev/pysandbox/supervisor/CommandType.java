package dev.pysandbox.supervisor;

/** The types of frames that the server sends to a supervisor: first the setup, then a task. */
enum CommandType {
    /** A resource limit, such as {@code NOFILE=1024}. */
    LIMIT('l'),
    /** The memory limit in bytes. */
    MEMORY('m'),
    /** A {@link Bound}, such as {@code files=64}. */
    BOUND('b'),
    /** A module to import before the task arrives. */
    IMPORT('i'),
    /** The endpoint of the proxy. */
    PROXY('p'),
    /** The setup is complete. */
    WAIT('w'),
    /** An option of the setup or of a task. */
    OPTION('o'),
    ARGUMENT('a'),
    SCRIPT('s'),
    /** Name, NUL, content. */
    FILE('f'),
    /** NAME=VALUE. */
    ENVIRONMENT('e'),
    /** The name of a variable to report at the end of the script. */
    VARIABLE('v'),
    /** The most bytes of large files to send. */
    KEEP('k'),
    /** The task is complete. */
    GO('g'),
    /** The timeout has passed. */
    STOP('t');

    private final char code;

    CommandType(char code) {
        this.code = code;
    }

    char code() {
        return code;
    }
}
