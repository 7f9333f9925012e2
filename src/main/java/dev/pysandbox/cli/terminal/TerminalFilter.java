package dev.pysandbox.cli.terminal;

import dev.pysandbox.support.HiddenCharacters;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/**
 * Makes the output of a script safe for a terminal. Text, colours, newlines, tabs and carriage returns pass; every
 * other control or hidden character is written as an escape such as {@code \x1b}.
 *
 * <p>Colours are sequences {@code ESC [ … m} of digits, semicolons and colons. A carriage return can overwrite only its
 * own line, as progress bars do. Backspaces are escaped.
 */
final class TerminalFilter {
    private static final String RESET = "\033[0m";
    private static final int ESCAPE = 0x1b;
    private static final int LONGEST_COLOUR = 64;
    private static final int REPLACEMENT = 0xfffd;

    /** An incomplete escape sequence. */
    private final StringBuilder sequence = new StringBuilder();

    /** The decoded bits of an incomplete UTF-8 character, its bytes, and the number of missing bytes. */
    private int character;

    private final byte[] bytes = new byte[4];
    private int count;
    private int missing;

    private int before = -1;
    private boolean coloured;

    /** Filters the next bytes; an incomplete character or sequence at their end is kept for the next call. */
    byte[] filter(byte[] input, int length) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(length + 16);
        for (int i = 0; i < length; i++) {
            accept(input[i], out);
        }
        return out.toByteArray();
    }

    /** Returns the last output: what was incomplete, and a reset if the script changed the colours. */
    byte[] end() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        endCharacter(out);
        endSequence(out);
        if (coloured) {
            write(RESET, out);
            coloured = false;
        }
        return out.toByteArray();
    }

    private void accept(byte value, ByteArrayOutputStream out) {
        int b = value & 0xff;
        if (missing > 0 && (b & 0xc0) == 0x80) {
            bytes[count++] = value;
            character = (character << 6) | (b & 0x3f);
            if (--missing == 0) {
                decoded(out);
            }
            return;
        }
        endCharacter(out);
        if (b < 0x80) {
            ascii(b, out);
        } else if (b >= 0xc2 && b <= 0xf4) {
            missing = b >= 0xf0 ? 3 : b >= 0xe0 ? 2 : 1;
            character = b & (0x3f >> missing);
            bytes[0] = value;
            count = 1;
        } else {
            endSequence(out);
            escape(b, out);
        }
    }

    /** Handles a complete character of several bytes; an overlong encoding is invalid. */
    private void decoded(ByteArrayOutputStream out) {
        endSequence(out);
        int least = count == 2 ? 0x80 : count == 3 ? 0x800 : 0x10000;
        if (character < least || character > 0x10ffff || (character >= 0xd800 && character <= 0xdfff)) {
            for (int i = 0; i < count; i++) {
                escape(bytes[i] & 0xff, out);
            }
            before = REPLACEMENT;
        } else if (HiddenCharacters.isHidden(character, before)) {
            escape(character, out);
            before = character;
        } else {
            out.write(bytes, 0, count);
            before = character;
        }
        count = 0;
    }

    private void ascii(int c, ByteArrayOutputStream out) {
        if (c == ESCAPE) {
            endSequence(out);
            sequence.append((char) c);
        } else if (!sequence.isEmpty()) {
            inSequence((char) c, out);
        } else {
            plain(c, out);
        }
    }

    private void inSequence(char c, ByteArrayOutputStream out) {
        boolean colour = sequence.length() == 1 ? c == '[' : (c >= '0' && c <= '9') || c == ';' || c == ':';
        if (colour && sequence.length() < LONGEST_COLOUR) {
            sequence.append(c);
        } else if (c == 'm' && sequence.length() > 1) {
            write(sequence.append(c).toString(), out);
            coloured = true;
            sequence.setLength(0);
        } else {
            endSequence(out);
            plain(c, out);
        }
    }

    private void plain(int c, ByteArrayOutputStream out) {
        if (c == '\n' || c == '\r' || c == '\t' || !HiddenCharacters.isHidden(c, before)) {
            out.write(c);
        } else {
            escape(c, out);
        }
        before = c;
    }

    /** Writes the bytes of an incomplete character as escapes. */
    private void endCharacter(ByteArrayOutputStream out) {
        if (missing > 0) {
            endSequence(out);
            for (int i = 0; i < count; i++) {
                escape(bytes[i] & 0xff, out);
            }
            missing = 0;
            count = 0;
            before = REPLACEMENT;
        }
    }

    /** Writes a sequence that is not a colour, with its escape character as text. */
    private void endSequence(ByteArrayOutputStream out) {
        if (!sequence.isEmpty()) {
            escape(ESCAPE, out);
            write(sequence.substring(1), out);
            before = sequence.charAt(sequence.length() - 1);
            sequence.setLength(0);
        }
    }

    private static void escape(int codePoint, ByteArrayOutputStream out) {
        StringBuilder escaped = new StringBuilder();
        HiddenCharacters.escape(codePoint, escaped);
        write(escaped.toString(), out);
    }

    private static void write(String text, ByteArrayOutputStream out) {
        out.writeBytes(text.getBytes(StandardCharsets.US_ASCII));
    }
}
