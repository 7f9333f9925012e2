package dev.pysandbox.supervisor;

import java.util.List;

/**
 * How a sandbox prepares before its task arrives.
 *
 * @param inAdvance whether the task arrives later, so that there is time to prepare the interpreter
 * @param imports the modules to import in advance
 */
public record Preparation(boolean inAdvance, List<String> imports) {
    /** For a sandbox whose task is sent at once. */
    public static final Preparation NONE = new Preparation(false, List.of());

    public Preparation {
        imports = List.copyOf(imports);
    }

    public static Preparation importing(List<String> imports) {
        return new Preparation(true, imports);
    }
}
