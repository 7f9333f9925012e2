package dev.pysandbox.run;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** Pairs of what an error looks like and what helps then; the first that fits and has something to say is taken. */
final class HintRules {
    private final Map<Pattern, Function<MatchResult, Optional<String>>> rules = new LinkedHashMap<>();

    void add(String pattern, String hint) {
        add(pattern, match -> Optional.of(hint));
    }

    void add(String pattern, Function<MatchResult, Optional<String>> hint) {
        rules.put(Pattern.compile(pattern), hint);
    }

    /** Of several places that a rule fits, the last one counts: it is the error that ended the script. */
    Optional<String> hint(String stderr) {
        return rules.entrySet().stream()
                .flatMap(rule -> rule.getKey().matcher(stderr).results().reduce((first, second) -> second).stream()
                        .flatMap(match -> rule.getValue().apply(match).stream()))
                .findFirst();
    }
}
