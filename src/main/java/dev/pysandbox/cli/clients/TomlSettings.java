package dev.pysandbox.cli.clients;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pysandbox.script.TomlDocument;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Edits settings in TOML as text, so that comments and everything else are kept. */
public final class TomlSettings {
    private static final ObjectMapper JSON = new ObjectMapper();

    private TomlSettings() {}

    /** Returns the text with the table added or replaced; throws IllegalArgumentException if that is not possible. */
    public static String put(String text, String section, String name, Map<String, Object> entry) {
        JsonNode before = read(text);
        String table = table(section, name, entry);
        Matcher header = header(section, name, "").matcher(text);
        String after;
        if (header.find()) {
            after = text.substring(0, header.start()) + table + text.substring(bodyEnd(text, header.end()));
        } else if (before.path(section).has(name)) {
            throw new IllegalArgumentException(section + "." + name
                    + " exists in a form that can't be edited safely; remove it and run the command again");
        } else {
            String gap = text.isEmpty() ? "" : text.endsWith("\n") ? "\n" : "\n\n";
            after = text + gap + table;
        }
        if (!without(before, section, name).equals(without(read(after), section, name))) {
            throw new IllegalArgumentException("it can't be edited without changing other settings");
        }
        return after;
    }

    /** Returns the text without the table and its subtables; throws IllegalArgumentException if that is not possible. */
    public static String remove(String text, String section, String name) {
        JsonNode before = read(text);
        if (!before.path(section).has(name)) {
            return text;
        }
        String after = text;
        Matcher header = header(section, name, "(?:\\.[^\\]\\n]*)?").matcher(after);
        while (header.find()) {
            String start = after.substring(0, header.start()).stripTrailing();
            after = start + (start.isEmpty() ? "" : "\n") + after.substring(bodyEnd(after, header.end()));
            header.reset(after);
        }
        if (!withoutTable(before, section, name).equals(withoutTable(read(after), section, name))
                || read(after).path(section).has(name)) {
            throw new IllegalArgumentException(section + "." + name + " has a form that can't be removed safely");
        }
        return after;
    }

    private static JsonNode withoutTable(JsonNode all, String section, String name) {
        JsonNode copy = all.deepCopy();
        if (copy.path(section) instanceof ObjectNode servers) {
            servers.remove(name);
            if (servers.isEmpty()) {
                ((ObjectNode) copy).remove(section);
            }
        }
        return copy;
    }

    private static Pattern header(String section, String name, String below) {
        String word = Pattern.quote(name);
        return Pattern.compile("(?m)^[ \\t]*\\[[ \\t]*" + section + "[ \\t]*\\.[ \\t]*(?:" + word + "|\"" + word
                + "\"|'" + word + "')[ \\t]*" + below + "][ \\t]*(?:#.*)?\\R?");
    }

    public static String table(String section, String name, Map<String, Object> entry) {
        return entry.entrySet().stream()
                .map(member -> member.getKey() + " = " + json(member.getValue()) + "\n")
                .collect(Collectors.joining("", "[" + section + "." + name + "]\n", ""));
    }

    /** Returns the end of the table's lines: the next header, or the comments and blank lines before it. */
    private static int bodyEnd(String text, int start) {
        Matcher next =
                Pattern.compile("(?m)(?:^[ \\t]*(?:#.*)?\\R)*^[ \\t]*\\[").matcher(text);
        return next.find(start) ? next.start() : text.length();
    }

    private static JsonNode read(String text) {
        try {
            return JSON.readTree(TomlDocument.toJson(text));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("it is not well-formed TOML: " + e.getMessage(), e);
        }
    }

    /** Returns the settings without the members that this class writes; subtables, such as env, belong to the user. */
    private static JsonNode without(JsonNode all, String section, String name) {
        JsonNode copy = all.deepCopy();
        if (copy.path(section) instanceof ObjectNode servers && servers.path(name) instanceof ObjectNode entry) {
            entry.retain(entry.properties().stream()
                    .filter(member -> member.getValue().isObject())
                    .map(Map.Entry::getKey)
                    .toList());
            if (entry.isEmpty()) {
                servers.remove(name);
            }
            if (servers.isEmpty()) {
                ((ObjectNode) copy).remove(section);
            }
        }
        return copy;
    }

    /** Writes a string or an array of strings, which have the same syntax in JSON and TOML. */
    private static String json(Object value) {
        try {
            return JSON.writeValueAsString(value);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }
}
