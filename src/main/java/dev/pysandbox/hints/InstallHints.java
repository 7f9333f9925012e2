package dev.pysandbox.hints;

import dev.pysandbox.api.ExecutionRequest;
import dev.pysandbox.environment.install.InstallException;
import dev.pysandbox.environment.install.NearestVersions;
import dev.pysandbox.script.InvalidScriptException;
import dev.pysandbox.script.Version;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Proposes other dependencies if the installation failed, from the message of the installer.
 *
 * <p>That message contains output of package builds, which is untrusted. So a hint repeats a project only if the caller
 * or the script names it, and a version only if it is valid.
 */
public record InstallHints(ExecutionRequest request, String reason, Optional<NearestVersions> nearest) {
    private static final String NAME = "([A-Za-z0-9][A-Za-z0-9._-]{0,99}+)";
    private static final Pattern UNKNOWN_NAME =
            Pattern.compile("(?<![A-Za-z0-9._-])" + NAME + " was not found in the package registry");
    private static final Pattern NO_VERSION = Pattern.compile("there (?:is|are) no versions? of " + NAME + "[=<>!~]");
    private static final Pattern ONLY =
            Pattern.compile("[Bb]ecause only " + NAME + "(<=|==)(\\S{1,100}+) is available");
    private static final Pattern BUILD =
            Pattern.compile("(?:Failed to (?:download and )?build|[Bb]ecause) [`']?" + NAME + "==");
    private static final Pattern TWICE = Pattern.compile("[Bb]ecause you require " + NAME + "[^\\s,]*+ and " + NAME);
    private static final Pattern CONFLICT =
            Pattern.compile("[Aa]nd because you require " + NAME + "(?:\\[[^]]{0,200}+])?[=<>!~]");

    private static final Pattern WRITTEN = Pattern.compile("#[^\"'\\n]*+[\"']([^\"'\\n]++)[\"'].*+");
    private static final int MOST_LINES = 1000;

    private static final int LONGEST_REASON = 6000;

    public InstallHints {
        reason = reason.substring(0, Math.min(LONGEST_REASON, reason.length()));
    }

    public InstallHints(ExecutionRequest request, InstallException failure) {
        this(request, String.valueOf(failure.getMessage()), failure.nearest());
    }

    public Optional<String> hint() {
        return unknownName().or(this::noVersion).or(this::conflict).or(this::build);
    }

    private Optional<String> unknownName() {
        Optional<String> name = first(UNKNOWN_NAME).map(match -> match.group(1));
        if (name.isPresent() && KnownNames.isStandard(name.get())) {
            return asksFor(name.get())
                    ? Optional.of(name.get() + " comes with Python; call again with "
                            + new DependencyList(request.dependencies()).without(name.get()))
                    : Optional.empty();
        }
        return name.flatMap(wrong -> KnownNames.nearest(wrong)
                .flatMap(known -> instead(wrong, known).map(edit -> "did you mean " + known + "? " + edit)));
    }

    private Optional<String> noVersion() {
        return nearest.flatMap(
                        found -> version(found.project(), found.versions().get(0)))
                .or(() -> first(ONLY).flatMap(match -> version(match.group(1), match.group(3))))
                .or(() -> first(NO_VERSION).flatMap(match -> instead(match.group(1), match.group(1))));
    }

    private Optional<String> conflict() {
        return first(TWICE)
                .filter(match -> match.group(1).equals(match.group(2)))
                .or(() -> first(CONFLICT))
                .flatMap(match -> instead(match.group(1), match.group(1))
                        .map(edit -> "let the resolver choose the version of " + match.group(1) + ": " + edit));
    }

    private Optional<String> build() {
        return reason.contains("uild") || reason.contains("no usable wheels")
                ? first(BUILD)
                        .flatMap(match -> instead(match.group(1), match.group(1))
                                .map(edit -> "that version of " + match.group(1)
                                        + " has no ready-made package for this Python; take the newest: " + edit))
                : Optional.empty();
    }

    private Optional<String> version(String project, String version) {
        try {
            return instead(project, project + "==" + Version.parse(version));
        } catch (InvalidScriptException e) {
            return Optional.empty();
        }
    }

    /** Proposes a replacement for a requested project; empty if the project was not requested. */
    private Optional<String> instead(String project, String requirement) {
        DependencyList list = new DependencyList(request.dependencies());
        String name = DependencyList.name(project);
        return list.names(name)
                ? Optional.of("call again with " + list.replacing(name, requirement))
                : written(name).map(old -> ScriptEdit.replace(old, requirement));
    }

    private boolean asksFor(String project) {
        String name = DependencyList.name(project);
        return new DependencyList(request.dependencies()).names(name)
                || written(name).isPresent();
    }

    /** Returns the requirement on a project as the script's metadata has it. */
    private Optional<String> written(String project) {
        return new ScriptText(request.script())
                .lines()
                .limit(MOST_LINES)
                .map(WRITTEN::matcher)
                .filter(line -> line.matches())
                .map(line -> line.group(1))
                .filter(each -> DependencyList.name(each).equals(project))
                .findFirst();
    }

    private Optional<Matcher> first(Pattern pattern) {
        return Optional.of(pattern.matcher(reason)).filter(Matcher::find);
    }
}
