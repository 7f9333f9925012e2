package dev.pysandbox.hints;

import dev.pysandbox.script.InvalidScriptException;
import dev.pysandbox.script.Requirement;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Corrects dependencies that are written in the syntax of other tools. */
public final class RequirementHints {
    private static final Pattern INSTALL = Pattern.compile("^(?:!|%)?(?:python3? -m )?(?:uv )?pip3? install ");
    private static final Pattern LOOSE_VERSION =
            Pattern.compile("([A-Za-z0-9][\\w.-]*+(?:\\[[\\w,. -]*+])?+)(?:\\s*+[=:@]\\s*+|\\s++)v?(\\d[\\w.]*+)");
    private static final int MOST = 200;
    private static final int LONGEST = 200;

    private RequirementHints() {}

    /** Returns a hint only if all corrected dependencies are valid. */
    public static Optional<String> hint(List<String> dependencies) {
        if (dependencies.size() > MOST) {
            return Optional.empty();
        }
        List<String> fixed = dependencies.stream().map(RequirementHints::fix).toList();
        return !fixed.equals(dependencies) && fixed.stream().allMatch(RequirementHints::isRequirement)
                ? Optional.of("call again with " + new DependencyList(fixed))
                : Optional.empty();
    }

    private static String fix(String written) {
        if (written.length() > LONGEST || isRequirement(written)) {
            return written;
        }
        String plain = INSTALL.matcher(written.strip()).replaceFirst("").strip();
        Matcher loose = LOOSE_VERSION.matcher(plain);
        return loose.matches() ? loose.group(1) + "==" + loose.group(2) : plain;
    }

    static boolean isRequirement(String text) {
        try {
            return !Requirement.parse(text).name().isEmpty();
        } catch (InvalidScriptException e) {
            return false;
        }
    }
}
