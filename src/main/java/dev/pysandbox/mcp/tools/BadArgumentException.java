package dev.pysandbox.mcp.tools;

/** An argument of a tool is wrong; the message names it and says what was expected. */
public final class BadArgumentException extends RuntimeException {
    BadArgumentException(String message) {
        super(message);
    }
}
