package dev.pysandbox.supervisor;

import java.util.Optional;

/** The types of frames that a supervisor sends, each with the longest payload that is accepted. */
enum ReportType {
    /** Waits for its task. The payload is the memory in use, in bytes. */
    READY('R', Frame.LONGEST_NUMBER),
    /** Has received a complete task. */
    ACCEPTED('A', 0),
    STDOUT('1', Frame.LONGEST_OUTPUT),
    STDERR('2', Frame.LONGEST_OUTPUT),
    /** No process of the task runs any more. */
    DONE('D', 0),
    /** Name, NUL, JSON. */
    VARIABLE('V', Bound.VARIABLE_BYTES.most()),
    /** The repr of the value of the script's last statement. */
    VALUE('E', Bound.VARIABLE_BYTES.most()),
    /** Name, NUL, content. */
    FILE('F', Bound.NAME_BYTES.most() + 1 + Bound.FILE_BYTES.most()),
    /** A file whose content follows in parts: name, NUL, size. */
    LARGE_FILE('L', Bound.NAME_BYTES.most() + Frame.LONGEST_NUMBER),
    /** A part of the large file. */
    PART('C', Frame.LONGEST_OUTPUT),
    /** A file that is not sent: name, NUL, size. */
    FILE_NOT_SENT('N', Bound.NAME_BYTES.most() + Frame.LONGEST_NUMBER),
    /** The end of the task: words such as {@code code=0}, separated by spaces. */
    EXIT('X', Bound.NAME_BYTES.most() + Frame.LONGEST_NUMBER),
    /** The supervisor failed. The payload is the reason. */
    FAILED('!', Bound.NAME_BYTES.most() + Frame.LONGEST_NUMBER);

    private final char code;
    private final int longest;

    ReportType(char code, int longest) {
        this.code = code;
        this.longest = longest;
    }

    char code() {
        return code;
    }

    /** Returns the longest payload, in bytes. */
    int longest() {
        return longest;
    }

    static Optional<ReportType> of(int code) {
        for (ReportType type : values()) {
            if (type.code == code) {
                return Optional.of(type);
            }
        }
        return Optional.empty();
    }
}
