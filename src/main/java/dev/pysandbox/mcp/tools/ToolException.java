package dev.pysandbox.mcp.tools;

/** A tool can't do its work; the message tells the model why, and what to change. */
public final class ToolException extends RuntimeException {
    ToolException(String message) {
        super(message);
    }

    ToolException(String message, Throwable cause) {
        super(message, cause);
    }
}
