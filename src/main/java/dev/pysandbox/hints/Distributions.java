package dev.pysandbox.hints;

import dev.pysandbox.support.BundledFile;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Maps modules to the distributions that provide them, where the names differ. */
public final class Distributions {
    private static final Map<String, String> TABLE = lines("distributions.properties")
            .map(line -> line.split("=", 2))
            .collect(Collectors.toUnmodifiableMap(pair -> pair[0], pair -> pair[1]));

    private static final Map<String, String> BY_NORMALIZED_NAME = TABLE.entrySet().stream()
            .collect(Collectors.toUnmodifiableMap(
                    each -> each.getKey().toLowerCase(Locale.ROOT).replaceAll("[_.]", "-"),
                    Map.Entry::getValue,
                    (first, second) -> first));

    /** No module in the table has a longer name; looking up a name with many dots would take long. */
    private static final int LONGEST = 200;

    private Distributions() {}

    /**
     * Returns the normalised name of the distribution; for a module that is not in the table, the module's own name.
     *
     * @param module may be dotted: several distributions share {@code google}
     */
    public static String providing(String module) {
        String top = module.split("\\.", 2)[0];
        return find(module).orElse(top.toLowerCase(Locale.ROOT).replace('_', '-'));
    }

    /** Says how a module that no dependency provides can be had: as a package, in another spelling, or as a file. */
    public static String advice(String module) {
        Optional<String> provider = KnownNames.provider(module);
        UnlistedModule unlisted = new UnlistedModule(module.split("\\.", 2)[0]);
        return provider.map(known -> "add \"" + known + "\" to the dependencies")
                .or(() -> unlisted.meant().map(meant -> "did you mean " + meant + "?"))
                .orElseGet(() -> (unlisted.isLocal() ? "" : "a package of this name may not be what is meant. ")
                        + UnlistedModule.asFile(unlisted.name() + ".py"));
    }

    /** Looks up a module, or the package that contains it, in the table. */
    static Optional<String> find(String module) {
        String start = module.substring(0, Math.min(LONGEST, module.length()));
        for (String name = start; !name.isEmpty(); name = name.substring(0, Math.max(0, name.lastIndexOf('.')))) {
            if (TABLE.containsKey(name)) {
                return Optional.ofNullable(TABLE.get(name));
            }
        }
        return Optional.empty();
    }

    /** Returns the distribution of the module whose name, in any case, is also used as that of a distribution. */
    static Optional<String> meantBy(String distribution) {
        return Optional.ofNullable(BY_NORMALIZED_NAME.get(distribution)).filter(meant -> !meant.equals(distribution));
    }

    static Set<String> names() {
        return Set.copyOf(TABLE.values());
    }

    /** Returns the lines of a resource that are neither empty nor a comment. */
    static Stream<String> lines(String resource) {
        return BundledFile.text(Distributions.class, resource)
                .lines()
                .filter(line -> !line.isBlank() && !line.startsWith("#"));
    }
}
