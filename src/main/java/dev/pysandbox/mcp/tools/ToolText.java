package dev.pysandbox.mcp.tools;

import dev.pysandbox.support.BundledFile;
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
        return BundledFile.text(ToolText.class, name + ending);
    }
}
