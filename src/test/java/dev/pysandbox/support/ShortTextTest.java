package dev.pysandbox.support;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class ShortTextTest {
    @Test
    void marksWhatItCuts() {
        assertEquals("abc", ShortText.start("abc", 3));
        assertEquals("abc…", ShortText.start("abcd", 3));
        assertEquals("a…", ShortText.start("a\ud83d\ude00", 2), "never half a pair");
    }

    @Test
    void writesOneLineWithoutHiddenCharacters() {
        assertEquals("a\\nb\\tc\\x1b[0m\\u202e", ShortText.line("a\nb\tc\u001b[0m\u202e", 80));
        assertEquals("\\ud83d", ShortText.line("\ud83d", 80));
    }
}
