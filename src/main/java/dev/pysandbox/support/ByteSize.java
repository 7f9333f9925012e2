package dev.pysandbox.support;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A number of bytes, written like {@code 512m} or {@code 2g}. */
public record ByteSize(long bytes) implements Comparable<ByteSize> {
    private static final Pattern FORM = Pattern.compile("(\\d{1,12})([kmgt]?)i?b?");
    private static final String UNITS = "kmgt";

    public ByteSize {
        if (bytes < 0) {
            throw new IllegalArgumentException("a size can't be negative: " + bytes);
        }
    }

    /** Parses a whole number with an optional unit; each unit is 1024 times the one before. */
    public static ByteSize parse(String text) {
        Matcher matcher = FORM.matcher(text.strip().toLowerCase(Locale.ROOT));
        if (!matcher.matches()) {
            throw new IllegalArgumentException("expected a size such as 512m or 2g, got '" + text + "'");
        }
        int power = matcher.group(2).isEmpty() ? 0 : UNITS.indexOf(matcher.group(2)) + 1;
        try {
            return new ByteSize(Math.multiplyExact(Long.parseLong(matcher.group(1)), 1L << (10 * power)));
        } catch (ArithmeticException e) {
            throw new IllegalArgumentException("the size '" + text + "' is too large", e);
        }
    }

    /** Returns a rounded form for messages, such as {@code 512 bytes} or {@code 1.5 MiB}. */
    public String readable() {
        double value = bytes;
        int power = 0;
        while (value >= 1024 && power < UNITS.length()) {
            value /= 1024;
            power++;
        }
        return power == 0
                ? bytes + (bytes == 1 ? " byte" : " bytes")
                : String.format(
                        Locale.ROOT,
                        "%.1f %siB",
                        value,
                        UNITS.toUpperCase(Locale.ROOT).charAt(power - 1));
    }

    @Override
    public int compareTo(ByteSize other) {
        return Long.compare(bytes, other.bytes);
    }

    /** Returns the shortest exact form, such as {@code 2g}, which {@link #parse} reads. */
    @Override
    public String toString() {
        long value = bytes;
        int power = 0;
        while (value != 0 && value % 1024 == 0 && power < UNITS.length()) {
            value /= 1024;
            power++;
        }
        return power == 0 ? Long.toString(value) : value + UNITS.substring(power - 1, power);
    }
}
