package dev.pysandbox.script;

import java.util.List;
import java.util.Optional;

/** What a script's metadata block asks for. */
public record InlineMetadata(Optional<VersionSpecifiers> requiresPython, List<Requirement> dependencies) {
    public InlineMetadata {
        dependencies = List.copyOf(dependencies);
    }
}
