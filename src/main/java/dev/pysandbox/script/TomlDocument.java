package dev.pysandbox.script;

import org.tomlj.Toml;
import org.tomlj.TomlParseResult;

/** Reads TOML files that are not ours, to see whether they are well-formed and what they say. */
public final class TomlDocument {
    private TomlDocument() {}

    /** What the document says, as JSON; an IllegalArgumentException says what is wrong with it. */
    public static String toJson(String text) {
        TomlParseResult parsed = Toml.parse(text);
        if (parsed.hasErrors()) {
            throw new IllegalArgumentException(parsed.errors().get(0).toString());
        }
        return parsed.toJson();
    }
}
