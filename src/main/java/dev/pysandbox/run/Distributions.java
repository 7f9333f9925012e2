package dev.pysandbox.run;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Locale;
import java.util.Properties;

/** Knows which distribution provides a module whose name differs from it. */
final class Distributions {
    private static final Properties TABLE = load();

    private Distributions() {}

    /** The distribution's normalised name; for a module that is not in the table, the module's own. */
    static String providing(String module) {
        return TABLE.getProperty(module, module.toLowerCase(Locale.ROOT).replace('_', '-'));
    }

    private static Properties load() {
        Properties table = new Properties();
        try (InputStream resource = Distributions.class.getResourceAsStream("distributions.properties")) {
            if (resource != null) {
                table.load(resource);
            }
            return table;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
