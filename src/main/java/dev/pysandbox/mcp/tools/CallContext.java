package dev.pysandbox.mcp.tools;

import dev.pysandbox.api.ProducedFile;
import java.util.List;

/** Sends messages to the client during a tool call. */
public interface CallContext {
    /** Sends nothing. */
    CallContext SILENT = new CallContext() {
        @Override
        public void progress(String message) {}

        @Override
        public void log(LogLevel level, String message) {}
    };

    /** Reports the current step in a few words. */
    void progress(String message);

    void log(LogLevel level, String message);

    /** Whether a result may contain links to resources; the oldest protocol revisions have none. */
    default boolean takesLinks() {
        return true;
    }

    /** Whether a result may contain small files as attachments; some clients would give their model the Base64 text. */
    default boolean takesAttachments() {
        return true;
    }

    /** Offers those of the files that are kept, as resources. */
    default void offer(List<ProducedFile> files) {}

    /** Whether the client asked for progress or log messages. */
    default boolean listens() {
        return false;
    }
}
