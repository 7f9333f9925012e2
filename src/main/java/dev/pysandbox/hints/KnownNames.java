package dev.pysandbox.hints;

import dev.pysandbox.support.EditDistance;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The names of common distributions and modules, to correct misspelt names. */
final class KnownNames {
    private static final Set<String> STANDARD =
            Distributions.lines("stdlib.txt").collect(Collectors.toUnmodifiableSet());
    private static final Set<String> NAMES = Stream.concat(
                    Distributions.lines("popular.txt"), Distributions.names().stream())
            .collect(Collectors.toUnmodifiableSet());

    private static final Pattern SEPARATORS = Pattern.compile("[-_.]++");

    /** A longer name is not a misspelt one. */
    private static final int LONGEST = 64;

    private KnownNames() {}

    /** Returns the closest known distribution, if one is close; the name of a module stands for its distribution. */
    static Optional<String> nearest(String wrong) {
        if (wrong.length() > LONGEST) {
            return Optional.empty();
        }
        String name = normalized(wrong);
        Optional<String> module = Distributions.find(wrong);
        if (module.isPresent()) {
            return module;
        }
        return nearest(name, NAMES, name.length() < 4 ? 1 : 2);
    }

    /** Returns the module that a misspelt import means; popular packages come before the standard library. */
    static Optional<String> nearestModule(String wrong) {
        // One letter only: many packages have names close to that of a popular one.
        String name = normalized(wrong);
        if (name.length() < 3 || name.length() > LONGEST || NAMES.contains(name)) {
            return Optional.empty();
        }
        return name.length() < 5
                ? nearestToShort(name, NAMES).or(() -> nearestToShort(name, STANDARD))
                : nearest(name, NAMES, 1).filter(found -> !found.contains("-")).or(() -> nearest(name, STANDARD, 1));
    }

    /** In a short name only a letter that is left out, or two that are swapped: any other may be another package. */
    private static Optional<String> nearestToShort(String name, Set<String> names) {
        return names.stream()
                .filter(known -> isNear(known, name, 1))
                .filter(known ->
                        known.length() > name.length() || letters(known).equals(letters(name)))
                .min(Comparator.naturalOrder());
    }

    private static List<Integer> letters(String name) {
        return name.chars().sorted().boxed().toList();
    }

    /** Returns the common distribution with the name of the module, if there is one. */
    static Optional<String> distribution(String module) {
        return Optional.of(normalized(module)).filter(NAMES::contains);
    }

    /** Returns the distribution that provides a module, if the lists have it. */
    static Optional<String> provider(String module) {
        return Distributions.find(module).or(() -> distribution(module.split("\\.", 2)[0]));
    }

    private static String normalized(String name) {
        return SEPARATORS.matcher(name.toLowerCase(Locale.ROOT)).replaceAll("-");
    }

    /** Whether a module is part of the standard library. */
    static boolean isStandard(String module) {
        return STANDARD.contains(module);
    }

    private static Optional<String> nearest(String name, Set<String> names, int most) {
        return names.stream()
                .filter(known -> isNear(known, name, most))
                .min(Comparator.<String>comparingInt(known -> EditDistance.of(known, name))
                        .thenComparing(Comparator.naturalOrder()));
    }

    /**
     * Whether the edit distance of two names is within the bound; always false for names of more than 64 characters.
     */
    static boolean isNear(String left, String right, int most) {
        return left.length() <= LONGEST
                && right.length() <= LONGEST
                && Math.abs(left.length() - right.length()) <= most
                && EditDistance.of(left, right) <= most;
    }
}
