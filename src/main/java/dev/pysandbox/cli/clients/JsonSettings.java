package dev.pysandbox.cli.clients;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pysandbox.mcp.tools.ReportText;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;

/** Edits settings in JSON, also with comments, as text, so that everything else is kept. */
public final class JsonSettings {
    private static final ObjectMapper MAPPER = JsonMapper.builder()
            .enable(JsonReadFeature.ALLOW_JAVA_COMMENTS, JsonReadFeature.ALLOW_TRAILING_COMMA)
            .build();
    private static final JsonFactory FACTORY = MAPPER.getFactory();
    private static final int ABSENT = -1;

    private final String section;
    private final String name;
    private int rootStart = ABSENT;
    private boolean rootEmpty;
    private int sectionStart = ABSENT;
    private boolean sectionEmpty;
    private int memberStart = ABSENT;
    private int entryStart = ABSENT;
    private int entryEnd = ABSENT;

    private JsonSettings(String section, String name) {
        this.section = section;
        this.name = name;
    }

    /** Returns the text with the entry added or replaced; throws IllegalArgumentException if that is not possible. */
    public static String put(String text, String section, String name, Map<String, Object> entry) {
        String before = text.isBlank() ? "{}\n" : text;
        JsonSettings settings = new JsonSettings(section, name);
        settings.locate(before);
        String after = settings.changed(before, ReportText.json(entry).replace("\n", "\n    "));
        if (!settings.withoutEntry(before).equals(settings.withoutEntry(after))) {
            throw new IllegalArgumentException("it can't be edited without changing other settings");
        }
        return after;
    }

    /** Returns the text without the entry; throws IllegalArgumentException if that is not possible. */
    public static String remove(String text, String section, String name) {
        JsonSettings settings = new JsonSettings(section, name);
        settings.locate(text.isBlank() ? "{}" : text);
        if (settings.entryStart == ABSENT) {
            return text;
        }
        String after = settings.removed(text);
        if (!settings.withoutEntry(text).equals(settings.withoutEntry(after)) || settings.isIn(after)) {
            throw new IllegalArgumentException("it can't be edited without changing other settings");
        }
        return after;
    }

    /** Removes the member with one of the commas beside it. */
    private String removed(String text) {
        int start = memberStart;
        while (start > 0 && Character.isWhitespace(text.charAt(start - 1))) {
            start--;
        }
        int end = entryEnd;
        while (end < text.length() && Character.isWhitespace(text.charAt(end))) {
            end++;
        }
        if (end < text.length() && text.charAt(end) == ',') {
            return text.substring(0, start) + text.substring(end + 1);
        }
        return text.substring(0, start > 0 && text.charAt(start - 1) == ',' ? start - 1 : start)
                + text.substring(entryEnd);
    }

    private boolean isIn(String text) {
        JsonSettings other = new JsonSettings(section, name);
        other.locate(text);
        return other.entryStart != ABSENT;
    }

    private String changed(String text, String entry) {
        if (entryStart != ABSENT) {
            return text.substring(0, entryStart) + entry + text.substring(entryEnd);
        }
        String member = "\n    \"" + name + "\": " + entry;
        if (sectionStart != ABSENT) {
            return text.substring(0, sectionStart)
                    + member
                    + (sectionEmpty ? "\n  " : ",")
                    + text.substring(sectionStart);
        }
        return text.substring(0, rootStart) + "\n  \"" + section + "\": {" + member + "\n  }" + (rootEmpty ? "\n" : ",")
                + text.substring(rootStart);
    }

    /** Parses the whole text, which also checks it, and records the positions of the section and the entry. */
    private void locate(String text) {
        try (JsonParser parser = FACTORY.createParser(text)) {
            expectObject(parser.nextToken(), "the file");
            rootStart = end(parser);
            rootEmpty = true;
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                rootEmpty = false;
                boolean wanted = parser.currentName().equals(section);
                JsonToken value = parser.nextToken();
                if (wanted) {
                    expectObject(value, '"' + section + '"');
                    locateEntry(parser);
                } else {
                    parser.skipChildren();
                }
            }
            if (parser.nextToken() != null) {
                throw new IllegalArgumentException("there is text after the end of the JSON object");
            }
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(
                    "it is not well-formed JSON: line " + e.getLocation().getLineNr() + ": " + e.getOriginalMessage(),
                    e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void locateEntry(JsonParser parser) throws IOException {
        sectionStart = end(parser);
        sectionEmpty = true;
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            sectionEmpty = false;
            boolean wanted = parser.currentName().equals(name);
            int member = (int) parser.currentTokenLocation().getCharOffset();
            JsonToken value = parser.nextToken();
            int start = end(parser) - 1;
            if (wanted) {
                expectObject(value, '"' + name + '"');
            }
            parser.skipChildren();
            if (wanted) {
                memberStart = member;
                entryStart = start;
                entryEnd = end(parser);
            }
        }
    }

    private static int end(JsonParser parser) {
        return (int) parser.currentLocation().getCharOffset();
    }

    private static void expectObject(JsonToken token, String what) {
        if (token != JsonToken.START_OBJECT) {
            throw new IllegalArgumentException(what + " is not a JSON object");
        }
    }

    private JsonNode withoutEntry(String text) {
        try {
            JsonNode all = MAPPER.readTree(text);
            if (all.path(section) instanceof ObjectNode servers) {
                servers.remove(name);
                if (servers.isEmpty()) {
                    ((ObjectNode) all).remove(section);
                }
            }
            return all;
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("it is not well-formed JSON: " + e.getOriginalMessage(), e);
        }
    }
}
