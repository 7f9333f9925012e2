package dev.pysandbox;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.pysandbox.PatternTable.Entry;
import dev.pysandbox.PatternTable.Use;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Checks that every regular expression takes linear time, or little time for its longest possible input. It counts the
 * characters that are read, not time.
 */
class PatternsTest {
    private static final int LONG = 1 << 18;
    private static final int LOOKS_PER_CHARACTER = 50;

    /** The most characters read, for patterns with short input. */
    private static final long MOST_LOOKS = 5_000_000;

    /** Inputs that are tried on every pattern. */
    private static final List<String> COMMON = List.of(
            " ",
            "\n",
            "\t",
            "a",
            "A",
            "1",
            ".",
            "-",
            "_",
            "(",
            "[",
            "'",
            "\"",
            "#",
            ":",
            "/",
            "=",
            "!",
            "%",
            "<",
            "&",
            "@",
            ",",
            ";",
            "\\",
            "é",
            "a ",
            "a.",
            "1.",
            " \n",
            "\n ",
            "a\n",
            "a=",
            "a,",
            "'a' ",
            "#a\n",
            "0x",
            "-1",
            "a:",
            "<a ",
            "[a",
            "print ",
            "import a,",
            "from a ",
            "pip install ",
            "script.py\", line 1\n    ");

    /** A text that fails when its characters are read too often. */
    private static final class Counted implements CharSequence {
        private final String text;
        private long left;

        Counted(String text, long most) {
            this.text = text;
            this.left = most;
        }

        @Override
        public int length() {
            return text.length();
        }

        @Override
        public char charAt(int index) {
            if (--left < 0) {
                throw new TooMuchWork();
            }
            return text.charAt(index);
        }

        @Override
        public CharSequence subSequence(int start, int end) {
            return text.subSequence(start, end);
        }

        @Override
        public String toString() {
            return text;
        }
    }

    private static final class TooMuchWork extends RuntimeException {}

    @Test
    void everyPatternIsInTheTable() {
        Set<String> listed = new TreeSet<>();
        PatternTable.entries().forEach((name, entry) -> listed.add(name + " " + entry.count()));
        Set<String> found = new TreeSet<>();
        PatternTable.found().forEach((name, patterns) -> found.add(name + " " + patterns.size()));
        Set<String> missing = new TreeSet<>(found);
        missing.removeAll(listed);
        assertEquals(Set.of(), missing, "add these to patterns.txt, with the texts that are the worst for them");
        listed.removeAll(found);
        assertEquals(Set.of(), listed, "remove these from patterns.txt");
    }

    /**
     * The exceptions are harmless: rules are compiled once, one pattern contains a quoted name, and scripts can't
     * choose the settings of clients.
     */
    @Test
    void patternsAreConstants() {
        assertEquals(
                List.of(
                        "cli/clients/TomlSettings.java",
                        "cli/clients/TomlSettings.java",
                        "environment/install/UvAnswer.java",
                        "hints/HintRules.java"),
                PatternTable.compiledInMethods());
    }

    @Test
    void theirWorkIsBounded() {
        Map<String, List<Pattern>> found = PatternTable.found();
        List<String> failures = new ArrayList<>();
        PatternTable.entries().forEach((name, entry) -> {
            for (Pattern pattern : entry.use() == Use.HOST ? List.<Pattern>of() : found.get(name)) {
                entry.texts(LONG).forEach(text -> check(name, pattern, entry, text, failures));
                for (String pump : COMMON) {
                    int times = Math.min(4_000, entry.longest()) / pump.length();
                    check(name, pattern, entry, pump.repeat(times), failures);
                    check(name, pattern, entry, "x" + pump.repeat(times) + "\u0001", failures);
                }
            }
        });
        assertEquals(List.of(), failures);
    }

    private static void check(String name, Pattern pattern, Entry entry, String text, List<String> failures) {
        long linear = (long) LOOKS_PER_CHARACTER * text.length();
        long most = entry.longest() < LONG ? Math.max(linear, MOST_LOOKS) : linear;
        try {
            PatternTable.apply(pattern, entry.use(), new Counted(text, most));
        } catch (TooMuchWork | StackOverflowError e) {
            failures.add(name + " (" + pattern + "): " + e.getClass().getSimpleName() + " on "
                    + text.substring(0, Math.min(60, text.length())));
        }
    }
}
