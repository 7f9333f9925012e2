package dev.pysandbox.run;

import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Knows the names of common distributions and modules, to find the one that a misspelt name means. */
final class KnownNames {
    private static final Set<String> STANDARD =
            Distributions.lines("stdlib.txt").collect(Collectors.toUnmodifiableSet());
    private static final Set<String> NAMES = Stream.concat(
                    Distributions.lines("popular.txt"), Distributions.names().stream())
            .collect(Collectors.toUnmodifiableSet());

    private KnownNames() {}

    /** The closest known name, if one is close; a module's name counts as its distribution's. */
    static Optional<String> nearest(String wrong) {
        String name = normalized(wrong);
        Optional<String> module = Distributions.find(wrong);
        if (module.isPresent()) {
            return module;
        }
        return nearest(name, NAMES, name.length() < 4 ? 1 : 2);
    }

    /** The module that a misspelt import means; a well-known package comes before the standard library's. */
    static Optional<String> nearestModule(String wrong) {
        // One letter, for there are many packages whose names are close to that of a better known one.
        String name = normalized(wrong);
        return name.length() < 5 || NAMES.contains(name)
                ? Optional.empty()
                : nearest(name, NAMES, 1).filter(found -> !found.contains("-")).or(() -> nearest(name, STANDARD, 1));
    }

    /** The distribution that has a module's own name, if it is a common one. */
    static Optional<String> distribution(String module) {
        return Optional.of(normalized(module)).filter(NAMES::contains);
    }

    private static String normalized(String name) {
        return name.toLowerCase(Locale.ROOT).replaceAll("[-_.]+", "-");
    }

    /** Whether this comes with Python. */
    static boolean isStandard(String module) {
        return STANDARD.contains(module);
    }

    private static Optional<String> nearest(String name, Set<String> names, int most) {
        return names.stream()
                .filter(known -> Math.abs(known.length() - name.length()) <= most && distance(known, name) <= most)
                .min(Comparator.<String>comparingInt(known -> distance(known, name))
                        .thenComparing(Comparator.naturalOrder()));
    }

    /** Letters to insert, delete, replace or swap with their neighbour. */
    static int distance(String left, String right) {
        int[][] cost = new int[left.length() + 1][right.length() + 1];
        for (int i = 0; i <= left.length(); i++) {
            for (int j = 0; j <= right.length(); j++) {
                cost[i][j] = i == 0 || j == 0 ? i + j : step(left, right, i, j, cost);
            }
        }
        return cost[left.length()][right.length()];
    }

    private static int step(String left, String right, int i, int j, int[][] cost) {
        int replace = cost[i - 1][j - 1] + (left.charAt(i - 1) == right.charAt(j - 1) ? 0 : 1);
        int least = Math.min(replace, Math.min(cost[i - 1][j], cost[i][j - 1]) + 1);
        boolean swapped = i > 1
                && j > 1
                && left.charAt(i - 1) == right.charAt(j - 2)
                && left.charAt(i - 2) == right.charAt(j - 1);
        return swapped ? Math.min(least, cost[i - 2][j - 2] + 1) : least;
    }
}
