package dev.pysandbox.mcp;

/** The client that waits for a call: hears how it goes, as far as it asked for that. */
interface Caller {
    /** Hears nothing. */
    Caller SILENT = new Caller() {
        @Override
        public void progress(String message) {}

        @Override
        public void log(LogLevel level, String message) {}
    };

    /** Tells what is going on now, in a few words. */
    void progress(String message);

    void log(LogLevel level, String message);

    /** Whether a result may hold links to resources, which the oldest revisions of the protocol do not know. */
    default boolean takesLinks() {
        return true;
    }

    /** Whether anything that is told now is heard by anyone. */
    default boolean listens() {
        return false;
    }
}
