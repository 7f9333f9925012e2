package dev.pysandbox.run;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What to ask for instead when the dependencies could not be installed, told from the installer's reason. */
record InstallHints(ExecutionRequest request, String reason) {
    private static final String NAME = "([A-Za-z0-9][A-Za-z0-9._-]*)";
    private static final Pattern UNKNOWN_NAME = Pattern.compile(NAME + " was not found in the package registry");
    private static final Pattern NO_VERSION = Pattern.compile("there (?:is|are) no versions? of " + NAME + "[=<>!~]");
    private static final Pattern ONLY = Pattern.compile("[Bb]ecause only " + NAME + "(<=|==)(\\S+) is available");
    private static final Pattern NEAREST =
            Pattern.compile("The versions of " + NAME + " nearest to it: ([^\\s,]+?)[,.](?:\\s|$)");
    private static final Pattern BUILD =
            Pattern.compile("(?:Failed to (?:download and )?build|[Bb]ecause) [`']?" + NAME + "==[^\\s`']+[`']?");
    private static final Pattern TWICE = Pattern.compile("[Bb]ecause you require " + NAME + "[^\\s,]* and " + NAME);
    private static final Pattern CONFLICT =
            Pattern.compile("[Aa]nd because you require " + NAME + "(?:\\[[^]]*])?[=<>!~]");

    private static final Pattern WRITTEN = Pattern.compile("(?m)^#.*?[\"']([^\"'\\n]+)[\"']");

    Optional<String> hint() {
        return unknownName().or(this::noVersion).or(this::conflict).or(this::build);
    }

    private Optional<String> unknownName() {
        Optional<String> standard =
                first(UNKNOWN_NAME).map(match -> match.group(1)).filter(KnownNames::isStandard);
        if (standard.isPresent()) {
            return standard.map(name -> name + " comes with Python; call again with "
                    + new DependencyList(request.dependencies()).without(name));
        }
        return first(UNKNOWN_NAME)
                .flatMap(match -> KnownNames.nearest(match.group(1))
                        .map(known -> "did you mean " + known + "? " + instead(match.group(1), known)));
    }

    private Optional<String> noVersion() {
        Optional<Matcher> nearest = first(NEAREST);
        if (nearest.isPresent()) {
            return nearest.map(match -> instead(match.group(1), match.group(1) + "==" + match.group(2)));
        }
        Optional<Matcher> only = first(ONLY);
        return only.map(match -> instead(match.group(1), match.group(1) + "==" + match.group(3)))
                .or(() -> first(NO_VERSION).map(match -> instead(match.group(1), match.group(1))));
    }

    private Optional<String> conflict() {
        return first(TWICE)
                .filter(match -> match.group(1).equals(match.group(2)))
                .or(() -> first(CONFLICT))
                .map(match -> "let the resolver choose the version of " + match.group(1) + ": "
                        + instead(match.group(1), match.group(1)));
    }

    private Optional<String> build() {
        return reason.contains("uild") || reason.contains("no usable wheels")
                ? first(BUILD)
                        .map(match -> "that version of " + match.group(1)
                                + " has no ready-made package for this Python; take the newest: "
                                + instead(match.group(1), match.group(1)))
                : Optional.empty();
    }

    private String instead(String project, String requirement) {
        DependencyList list = new DependencyList(request.dependencies());
        String name = DependencyList.name(project);
        return list.names(name)
                ? "call again with " + list.replacing(name, requirement)
                : written(name)
                        .map(old -> ScriptEdit.replace(old, requirement))
                        .orElse("in the script's dependencies, write \"" + requirement + "\" instead");
    }

    /** How the script itself asks for a project. */
    private Optional<String> written(String project) {
        return WRITTEN.matcher(request.script())
                .results()
                .map(match -> match.group(1))
                .filter(each -> DependencyList.name(each).equals(project))
                .findFirst();
    }

    private Optional<Matcher> first(Pattern pattern) {
        return Optional.of(pattern.matcher(reason)).filter(Matcher::find);
    }
}
