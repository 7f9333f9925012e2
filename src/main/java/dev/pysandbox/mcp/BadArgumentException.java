package dev.pysandbox.mcp;

/** An argument of a tool is not what it should be; the message names it and says what was expected. */
final class BadArgumentException extends RuntimeException {
    BadArgumentException(String message) {
        super(message);
    }
}
