package dev.pysandbox.api;

import java.util.List;
import java.util.Optional;

/**
 * The result of checking a script without running it.
 *
 * @param problem why it can't run, with line and column if known; empty for a valid script
 */
public record ValidationReport(
        Optional<String> problem, Optional<String> requiresPython, List<String> dependencies, List<String> warnings) {

    public ValidationReport {
        dependencies = List.copyOf(dependencies);
        warnings = List.copyOf(warnings);
    }

    public boolean valid() {
        return problem.isEmpty();
    }
}
