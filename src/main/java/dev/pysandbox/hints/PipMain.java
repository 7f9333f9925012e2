package dev.pysandbox.hints;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** The calls of pip as a module in a script: the packages that they install become dependencies. */
record PipMain(ScriptText script) {
    private static final int MOST = 20;
    private static final Pattern CALL =
            Pattern.compile("(?<![\\w.])(?:pip\\.(?:_internal\\.(?:cli\\.main\\.)?)?)?(?:main|pipmain)\\(\\s{0,9}\\["
                    + "\\s{0,9}['\"]install['\"]([^\\[\\]()\\n]{0,300}+)]\\s{0,9}\\)");
    private static final Pattern IMPORT =
            Pattern.compile("(?<![\\w.])(?:from pip(?:\\.[\\w.]{1,40}+)?+ import \\w{1,40}+"
                    + "|import pip(?![\\w])(?:\\.[\\w.]{1,40}+)?+)"
                    + "(?: as \\w{1,40}+)?+(?![ \\t]{0,9}+,)");
    private static final Pattern PACKAGE = Pattern.compile("['\"]([^'\"]{1,100}+)['\"]");

    /** Proposes to remove the calls; empty if there is none. */
    Optional<String> hint(DependencyList dependencies) {
        List<MatchResult> calls = found(CALL);
        if (calls.isEmpty()) {
            return Optional.empty();
        }
        List<String> packages = calls.stream()
                .flatMap(call -> PACKAGE.matcher(call.group(1)).results())
                .map(name -> name.group(1))
                .filter(RequirementHints::isRequirement)
                .distinct()
                .limit(MOST)
                .toList();
        DependencyList list = dependencies;
        for (String each : packages) {
            list = list.plus(each);
        }
        Map<String, String> edits = new LinkedHashMap<>();
        calls.forEach(call -> edits.put(call.group(), "None"));
        found(IMPORT).forEach(statement -> edits.put(statement.group(), "pass"));
        return Optional.of("a script can't call pip: " + ScriptEdit.replaceAll(edits)
                + (packages.isEmpty() ? ", and name the packages as dependencies" : " and call again with " + list));
    }

    private List<MatchResult> found(Pattern pattern) {
        return script.lines()
                .flatMap(line -> pattern.matcher(line).results())
                .limit(MOST)
                .toList();
    }
}
