package dev.pysandbox.script;

import org.tomlj.Toml;
import org.tomlj.TomlParseResult;

/** Parses TOML files of other programs. */
public final class TomlDocument {
    private TomlDocument() {}

    /** Returns the document as JSON; throws IllegalArgumentException if it is malformed. */
    public static String toJson(String text) {
        TomlParseResult parsed = Toml.parse(text);
        if (parsed.hasErrors()) {
            throw new IllegalArgumentException(parsed.errors().get(0).toString());
        }
        return parsed.toJson();
    }
}
