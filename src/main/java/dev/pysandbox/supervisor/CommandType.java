package dev.pysandbox.supervisor;

/** The types of frames that the server sends to a supervisor. */
enum CommandType {
    ARGUMENT('a'),
    SCRIPT('s'),
    /** Name, NUL, content. */
    FILE('f'),
    /** NAME=VALUE. */
    ENVIRONMENT('e'),
    /** A resource limit, such as {@code NOFILE=1024}. */
    LIMIT('l'),
    /** The name of a variable to describe at the end of the script. */
    VARIABLE('v'),
    /** The memory limit in bytes. */
    MEMORY('m'),
    /** The path of the proxy's socket. */
    PROXY('p'),
    OPTION('o'),
    /** How many bytes of large files are wanted. */
    KEEP('k'),
    /** The request is complete. */
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
