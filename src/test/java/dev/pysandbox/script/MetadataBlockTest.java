package dev.pysandbox.script;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pysandbox.Fuzz;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class MetadataBlockTest {
    /** The regular expression of PEP 723, with flags so that lines end as in Python. */
    private static final Pattern REFERENCE =
            Pattern.compile("(?md)^# /// (?<type>[a-zA-Z0-9-]+)$\\s(?<content>(^#(| .*)$\\s)+)^# ///$");

    private static final List<String> LINES = List.of(
            "# /// script",
            "# /// script",
            "# /// other-2",
            "# ///",
            "# ///",
            "# ///",
            "#",
            "# a = 1",
            "",
            "x = 1",
            "#a",
            " # ///",
            "# /// ",
            "# /// a b",
            "# /// script ",
            "#/// script",
            "## ///",
            "# ///\u000b",
            "# \u2028");

    @Test
    void findsWhatTheReferenceImplementationFinds() {
        for (List<String> row : Table.read("metadata-blocks.txt")) {
            List<String> found = new ArrayList<>();
            String text = row.get(0);
            for (MetadataBlock block : MetadataBlock.find(text).blocks()) {
                found.add(block.type());
                found.add(block.content());
            }
            assertEquals(row.subList(1, row.size()), found, text);
        }
    }

    @Test
    void findsWhatTheRegularExpressionFinds() {
        Random random = Fuzz.random(723);
        int blocks = 0;
        int texts = Fuzz.rounds(50_000);
        for (int i = 0; i < texts; i++) {
            String text = randomText(random);
            List<MetadataBlock> found = MetadataBlock.find(text).blocks();
            assertEquals(byRegularExpression(text), found, text);
            blocks += found.size();
        }
        assertTrue(blocks > texts / 10, "only " + blocks + " blocks in all the texts");
    }

    private static String randomText(Random random) {
        int lines = 1 + random.nextInt(10);
        int variety = random.nextBoolean() ? 8 : LINES.size();
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < lines; i++) {
            text.append(i == 0 ? "" : "\n").append(LINES.get(random.nextInt(variety)));
        }
        return text.append(random.nextBoolean() ? "\n" : "").toString();
    }

    private static List<MetadataBlock> byRegularExpression(String text) {
        List<MetadataBlock> blocks = new ArrayList<>();
        Matcher matcher = REFERENCE.matcher(text);
        while (matcher.find()) {
            int line = 1
                    + (int) text.substring(0, matcher.start())
                            .chars()
                            .filter(c -> c == '\n')
                            .count();
            blocks.add(new MetadataBlock(matcher.group("type"), line, matcher.group("content")));
        }
        return blocks;
    }
}
