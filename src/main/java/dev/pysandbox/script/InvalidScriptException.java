package dev.pysandbox.script;

import dev.pysandbox.support.ShortText;

/** An error in a script or its dependencies that the caller can fix; the message says where, what and how. */
public final class InvalidScriptException extends Exception {
    private static final int QUOTED_LENGTH = 80;

    public InvalidScriptException(String message) {
        super(message);
    }

    /** Returns the same error with its place in the message. */
    InvalidScriptException at(String place) {
        InvalidScriptException placed = new InvalidScriptException(place + ": " + getMessage());
        placed.initCause(this);
        return placed;
    }

    /** Quotes any text as one short line for a message. */
    public static String quote(String text) {
        return "'" + ShortText.line(text, QUOTED_LENGTH) + "'";
    }
}
