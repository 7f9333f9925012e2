package dev.pysandbox.mcp.tools;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * The texts of a tool from its resource files: the description in {@code NAME.md}; annotations, input and output schema
 * in {@code NAME.schema.json}.
 *
 * @param notes lines that are added to the description, depending on the settings
 */
public record ToolText(String name, List<String> notes) {
    public static final String EXECUTE = "execute_python";
    public static final String VALIDATE = "validate_script";
    public static final String CHECK = "check_environment";

    public ToolText {
        notes = List.copyOf(notes);
    }

    ToolText withNotes(List<String> notes) {
        return new ToolText(name, notes);
    }

    public String description() {
        StringBuilder text = new StringBuilder(read(".md").strip());
        for (String note : notes) {
            text.append('\n').append(note);
        }
        return text.toString();
    }

    public String schemas() {
        return read(".schema.json");
    }

    private String read(String ending) {
        String path = name + ending;
        try (InputStream in = ToolText.class.getResourceAsStream(path)) {
            if (in == null) {
                throw new IllegalStateException("the resource " + path + " is missing");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
