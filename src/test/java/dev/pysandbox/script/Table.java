package dev.pysandbox.script;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * A resource with one test case per line. Fields are separated by {@code |}; lines that start with {@code #} are
 * comments.
 */
final class Table {
    private Table() {}

    static List<List<String>> read(String name) {
        try (InputStream stream = Table.class.getResourceAsStream(name)) {
            List<List<String>> rows = new String(stream.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .map(line -> Arrays.stream(line.split("\\|", -1))
                            .map(Table::unescaped)
                            .toList())
                    .toList();
            if (rows.isEmpty()) {
                throw new IllegalStateException("no cases in " + name);
            }
            return rows;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Resolves Java's escapes, {@code \p} for {@code |}, and {@code &#} for a {@code #} at the start of a line. */
    private static String unescaped(String field) {
        return (field.startsWith("&#") ? field.substring(1) : field)
                .replace("\\p", "|")
                .translateEscapes();
    }
}
