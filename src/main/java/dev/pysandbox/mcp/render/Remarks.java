package dev.pysandbox.mcp.render;

import dev.pysandbox.api.CapturedText;
import dev.pysandbox.api.ExecutionResult;
import dev.pysandbox.support.OverwrittenLines;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Says what of a result is not shown. The command line, which shows output as it comes, has no use for it. */
final class Remarks {
    private Remarks() {}

    /** Returns the hint of a result, or one on how to print less. */
    static Optional<String> hint(ExecutionResult result) {
        return result.hint()
                .or(() -> Optional.of(result.stdout())
                        .filter(CapturedText::truncated)
                        .map(stdout -> "the script printed " + stdout.bytes()
                                + " bytes, of which only the beginning and"
                                + " the end are shown; print a summary or a part, such as .head(), len() or [:20]"));
    }

    /** Returns the warnings of a result, and those on lines that are overwritten and files that are lost. */
    static List<String> warnings(ExecutionResult result, List<FileView> views) {
        List<String> warnings = new ArrayList<>(result.warnings());
        String stdout = result.stdout().text();
        if (!OverwrittenLines.lastStates(stdout).equals(stdout)) {
            warnings.add("stdout has carriage returns (\\r): of each such line only the last state is shown");
        }
        // If any file is kept, or could not be, then the server keeps files.
        boolean keeps = views.stream().anyMatch(view -> view.file().kept().isPresent())
                || result.warnings().stream().anyMatch(warning -> warning.contains(" not kept"));
        long lost = views.stream().filter(FileView::isLost).count();
        if (lost > 0 && !keeps) {
            warnings.add((lost == 1 ? "1 file was" : lost + " files were")
                    + " deleted with the sandbox (marked 'not kept'): print what you need, or set --keep-files=DIR"
                    + " where the server is started");
        }
        return warnings;
    }
}
