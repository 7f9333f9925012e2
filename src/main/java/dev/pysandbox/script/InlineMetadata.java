package dev.pysandbox.script;

import java.util.List;
import java.util.Optional;

/** The content of a script's metadata block. */
public record InlineMetadata(Optional<VersionSpecifiers> requiresPython, List<Requirement> dependencies) {
    public InlineMetadata {
        dependencies = List.copyOf(dependencies);
    }
}
