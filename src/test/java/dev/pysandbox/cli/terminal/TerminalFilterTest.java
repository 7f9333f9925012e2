package dev.pysandbox.cli.terminal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pysandbox.Fuzz;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TerminalFilterTest {
    private static String filtered(byte[] input, int piece) {
        TerminalFilter filter = new TerminalFilter();
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (int at = 0; at < input.length; at += piece) {
            byte[] part = java.util.Arrays.copyOfRange(input, at, Math.min(input.length, at + piece));
            out.writeBytes(filter.filter(part, part.length));
        }
        out.writeBytes(filter.end());
        return out.toString(StandardCharsets.UTF_8);
    }

    /** Replaces {@code \e} with the escape character and {@code <ff>} with a byte. */
    private static byte[] bytes(String text) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (int i = 0; i < text.length(); ) {
            if (text.charAt(i) == '<') {
                out.write(Integer.parseInt(text.substring(i + 1, i + 3), 16));
                i += 4;
            } else {
                String one = Character.toString(text.codePointAt(i));
                out.writeBytes(one.getBytes(StandardCharsets.UTF_8));
                i += one.length();
            }
        }
        return out.toByteArray();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            plain <09>text<0a>             | plain <09>text<0a>
            50%<0d>60%<0d><0a>             | 50%<0d>60%<0d><0a>
            ünï 😀 日本                     | ünï 😀 日本
            <1b>[31mred<1b>[0m             | <1b>[31mred<1b>[0m<1b>[0m
            <1b>[38:2::1:2:3mx             | <1b>[38:2::1:2:3mx<1b>[0m
            <1b>[m.                        | <1b>[m.<1b>[0m
            <1b>]0;title<07>x              | \\x1b]0;title\\x07x
            <1b>]52;c;ZXZpbA==<1b>\\       | \\x1b]52;c;ZXZpbA==\\x1b\\
            <1b>[2J<1b>[1;1H<1b>[?25l      | \\x1b[2J\\x1b[1;1H\\x1b[?25l
            <1b>[>4;2m<1b>[31 m            | \\x1b[>4;2m\\x1b[31 m
            <1b><1b>[31mx                  | \\x1b<1b>[31mx<1b>[0m
            <1b>[31<0a>m                   | \\x1b[31<0a>m
            <1b>[3ü1m                      | \\x1b[3ü1m
            <1b>c<1b>P1q<1b>(0             | \\x1bc\\x1bP1q\\x1b(0
            a<08>b<7f>c<00>d<0b><0c>       | a\\x08b\\x7fc\\x00d\\x0b\\x0c
            <c2><9b>31m<c2><85>            | \\x9b31m\\x85
            <9b>31m<9d>0;x<9c>             | \\x9b31m\\x9d0;x\\x9c
            <c0><9b><e0><80><9b><f0>x      | \\xc0\\x9b\\xe0\\x80\\x9b\\xf0x
            <ed><a0><80><f4><90><80><80>   | \\xed\\xa0\\x80\\xf4\\x90\\x80\\x80
            <e2><1b>[31m                   | \\xe2<1b>[31m<1b>[0m
            end<1b>[3                      | end\\x1b[3
            end<e2><80>                    | end\\xe2\\x80
            <e2><80><ae>x<f3><a0><81><81>  | \\u202ex\\U000e0041
            """)
    void letsTextAndColoursThrough(String input, String expected) {
        String wanted = new String(bytes(expected), StandardCharsets.UTF_8);
        for (int piece = 1; piece < 9; piece++) {
            assertEquals(wanted, filtered(bytes(input), piece));
        }
    }

    @Test
    void aColourWithoutEndIsNone() {
        String shown = filtered(bytes("<1b>[" + "1;".repeat(1000) + "m"), 7);
        assertTrue(shown.startsWith("\\x1b[1;1;"), shown);
    }

    @Test
    void whateverComesTheTerminalSeesOnlyColours() {
        Random random = Fuzz.random(14);
        int[] likely = {0x1b, '[', ']', 'm', ';', '3', '1', 0x9b, 0xc2, 0xe2, 0x80, 0xae, 0xf0, '\r', '\n', 7, '\\'};
        for (int round = 0; round < Fuzz.rounds(2000); round++) {
            byte[] input = new byte[random.nextInt(60)];
            for (int i = 0; i < input.length; i++) {
                input[i] = (byte) (random.nextInt(4) > 0 ? likely[random.nextInt(likely.length)] : random.nextInt(256));
            }
            String whole = filtered(input, Math.max(1, input.length));
            assertEquals(whole, filtered(input, 1 + random.nextInt(5)));
            String rest = whole.replaceAll("\u001b\\[[0-9;:]*m", "").replaceAll("[\n\r\t]", "");
            assertTrue(rest.codePoints().noneMatch(c -> Character.isISOControl(c)), whole);
        }
    }
}
