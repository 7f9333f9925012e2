package dev.pysandbox.mcp.tools;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * A tool's words from the resource files: {@code NAME.md} for the model, {@code NAME.schema.json} with
 * annotations, input and output for programs.
 *
 * @param notes lines that depend on how the server was started, added to the description
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
