package dev.pysandbox.supervisor;

import java.util.List;

/**
 * What a sandbox does before its task arrives.
 *
 * @param inAdvance whether the task does not come at once, so that there is time to make the interpreter ready
 * @param imports the modules to import then
 */
public record Preparation(boolean inAdvance, List<String> imports) {
    /** For a sandbox whose task is already there. */
    public static final Preparation NONE = new Preparation(false, List.of());

    public Preparation {
        imports = List.copyOf(imports);
    }

    public static Preparation importing(List<String> imports) {
        return new Preparation(true, imports);
    }
}
