package dev.pysandbox.hints;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * An ordered list of error patterns with a hint for each; the first rule that matches and returns a hint is used.
 *
 * @param <T> what the hints are computed from
 */
final class HintRules<T> {
    private record Rule<T>(Pattern pattern, BiFunction<T, MatchResult, Optional<String>> hint) {}

    private final List<Rule<T>> rules = new ArrayList<>();

    HintRules<T> add(String pattern, String hint) {
        return add(pattern, (context, match) -> Optional.of(hint));
    }

    HintRules<T> add(String pattern, Function<T, Optional<String>> hint) {
        return add(pattern, (context, match) -> hint.apply(context));
    }

    HintRules<T> add(String pattern, BiFunction<T, MatchResult, Optional<String>> hint) {
        rules.add(new Rule<>(Pattern.compile(pattern), hint));
        return this;
    }

    /** Uses the last match of a rule, which is the error that ended the script. */
    Optional<String> hint(T context, String stderr) {
        return rules.stream()
                .flatMap(rule -> rule.pattern().matcher(stderr).results().reduce((first, second) -> second).stream()
                        .flatMap(match -> rule.hint().apply(context, match).stream()))
                .findFirst();
    }

    Stream<Pattern> patterns() {
        return rules.stream().map(Rule::pattern);
    }
}
