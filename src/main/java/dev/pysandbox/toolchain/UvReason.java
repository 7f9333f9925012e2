package dev.pysandbox.toolchain;

import java.util.List;
import java.util.regex.Pattern;

/** Extracts the error and its deepest cause from uv's stderr, as one line. */
final class UvReason {
    private static final Pattern COLORS = Pattern.compile("\u001b\\[[0-9;]*m");
    private static final Pattern ERROR = Pattern.compile("\\s*+error: .*");
    private static final Pattern CAUSE = Pattern.compile("\\s*+(cause|Caused by): .*");

    private UvReason() {}

    static String of(String stderr) {
        List<String> lines = COLORS.matcher(stderr)
                .replaceAll("")
                .lines()
                .filter(line -> !line.isBlank())
                .toList();
        String error =
                last(lines.stream().filter(ERROR.asMatchPredicate()).limit(1).toList());
        String cause = last(lines.stream().filter(CAUSE.asMatchPredicate()).toList());
        if (error.isEmpty() && cause.isEmpty()) {
            return lines.isEmpty()
                    ? "uv gave no reason"
                    : lines.get(lines.size() - 1).strip();
        }
        return error.isEmpty() || cause.isEmpty() ? error + cause : error + ": " + cause;
    }

    private static String last(List<String> lines) {
        return lines.isEmpty()
                ? ""
                : lines.get(lines.size() - 1)
                        .replaceFirst("^[A-Za-z\\s]++: ", "")
                        .strip();
    }
}
