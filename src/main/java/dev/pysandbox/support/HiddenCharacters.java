package dev.pysandbox.support;

/**
 * Recognizes characters that people do not see but models read: controls, tags, bidirectional overrides and isolates,
 * zero-width and other format characters, line separators, fillers.
 *
 * <p>Not hidden are characters that languages and emoji need: a joiner or non-joiner after a letter, mark or symbol
 * beyond ASCII, and one variation selector after a visible character. Tags are hidden even in flags of regions.
 */
public final class HiddenCharacters {
    private static final int ZERO_WIDTH_NON_JOINER = 0x200c;
    private static final int ZERO_WIDTH_JOINER = 0x200d;

    private HiddenCharacters() {}

    /**
     * Whether a character must be escaped.
     *
     * @param before the character before it, or -1 at the beginning
     */
    public static boolean isHidden(int codePoint, int before) {
        if (codePoint < 0x7f) {
            return codePoint < ' ';
        }
        if (codePoint == ZERO_WIDTH_JOINER || codePoint == ZERO_WIDTH_NON_JOINER) {
            return before < 0xa0 || (isHidden(before, ' ') && !isVariationSelector(before));
        }
        if (isVariationSelector(codePoint)) {
            return before <= ' '
                    || isVariationSelector(before)
                    || isHidden(before, ' ')
                    || Character.isSpaceChar(before);
        }
        return switch (Character.getType(codePoint)) {
            case Character.CONTROL, Character.SURROGATE, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR ->
                true;
            case Character.FORMAT -> !isVisibleFormat(codePoint);
            default -> isBlankByShape(codePoint);
        };
    }

    /** Writes a character as a Python escape: {@code \x1b}, {@code \u202e}, {@code \U000e0041}. */
    public static void escape(int codePoint, StringBuilder to) {
        int digits = codePoint <= 0xff ? 2 : codePoint <= 0xffff ? 4 : 8;
        to.append('\\').append(digits == 2 ? 'x' : digits == 4 ? 'u' : 'U');
        for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4) {
            to.append(Character.forDigit(codePoint >> shift & 0xf, 16));
        }
    }

    private static boolean isVariationSelector(int c) {
        return (c >= 0xfe00 && c <= 0xfe0f)
                || (c >= 0xe0100 && c <= 0xe01ef)
                || (c >= 0x180b && c <= 0x180d)
                || c == 0x180f;
    }

    /** Visible signs of Arabic, Syriac and Kaithi before numbers or words. */
    private static boolean isVisibleFormat(int c) {
        return (c >= 0x600 && c <= 0x605)
                || c == 0x6dd
                || c == 0x70f
                || c == 0x890
                || c == 0x891
                || c == 0x8e2
                || c == 0x110bd
                || c == 0x110cd;
    }

    /** Letters and marks without a shape, and code points that Unicode reserves for ignorable characters. */
    private static boolean isBlankByShape(int c) {
        return c == 0x34f
                || c == 0x115f
                || c == 0x1160
                || c == 0x17b4
                || c == 0x17b5
                || c == 0x2065
                || c == 0x3164
                || c == 0xffa0
                || (c >= 0xfff0 && c <= 0xfff8)
                || (c >= 0xe0000 && c <= 0xe0fff);
    }
}
