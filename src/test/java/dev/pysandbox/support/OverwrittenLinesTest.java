package dev.pysandbox.support;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

final class OverwrittenLinesTest {
    @Test
    void onlyTheLastStateStays() {
        assertEquals("100%\n", OverwrittenLines.lastStates(" 50%\r100%\n"));
        assertEquals("a\n100%\nb", OverwrittenLines.lastStates("a\n\r 50%\r100%\r\nb"));
        assertEquals("100%", OverwrittenLines.lastStates("\r 50%\r100%\r"));
        assertEquals("done\n", OverwrittenLines.lastStates("50%\r    \rdone\n"));
    }

    @Test
    void whatIsNotOverwrittenStays() {
        for (String text : new String[] {"", "\n", "a\r\nb\r\n", "a\r", "\r", "\r\r\n"}) {
            assertEquals(text, OverwrittenLines.lastStates(text));
        }
    }
}
