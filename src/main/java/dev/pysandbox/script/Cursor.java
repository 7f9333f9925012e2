package dev.pysandbox.script;

import java.util.function.IntPredicate;

/** A position in a line of text, for parsing from left to right. */
final class Cursor {
    private final String text;
    private int position;

    Cursor(String text) {
        this.text = text;
    }

    boolean atEnd() {
        return position == text.length();
    }

    boolean isAt(char expected) {
        return !atEnd() && text.charAt(position) == expected;
    }

    /** Skips the expected text, if it is next, and returns whether it was. */
    boolean skip(String expected) {
        boolean found = text.startsWith(expected, position);
        if (found) {
            position += expected.length();
        }
        return found;
    }

    void skipCharacter() {
        position += atEnd() ? 0 : 1;
    }

    /** Skips blanks and tabs and returns whether there were any. */
    boolean skipBlanks() {
        return !takeWhile(Cursor::isBlank).isEmpty();
    }

    String takeWhile(IntPredicate wanted) {
        int start = position;
        while (!atEnd() && wanted.test(text.charAt(position))) {
            position++;
        }
        return text.substring(start, position);
    }

    /** Returns what {@link #takeWhile} would return, without moving. */
    String peekWhile(IntPredicate wanted) {
        int start = position;
        String word = takeWhile(wanted);
        position = start;
        return word;
    }

    InvalidScriptException expected(String what) {
        String found = atEnd()
                ? "at its end"
                : "at character " + (text.codePointCount(0, position) + 1) + " ("
                        + InvalidScriptException.quote(Character.toString(text.codePointAt(position))) + ")";
        return new InvalidScriptException("expected " + what + " " + found);
    }

    static boolean isBlank(int c) {
        return c == ' ' || c == '\t';
    }

    static boolean isLetterOrDigit(int c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    }
}
