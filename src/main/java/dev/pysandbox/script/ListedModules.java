package dev.pysandbox.script;

import dev.pysandbox.support.BundledFile;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The modules that a sandbox may import before it receives a script, and those that do not affect the imports after them.
 * Both lists are part of the program: nothing that a script or a package leaves can extend them.
 */
final class ListedModules {
    /** The modules that may be imported early, each with what its import always imports too. */
    private static final Map<String, List<String>> EARLY = lines("early_modules.txt").stream()
            .map(line -> line.split(": *", 2))
            .collect(Collectors.toMap(
                    line -> line[0],
                    line -> line.length == 1 ? List.of() : words(line[1]),
                    (one, other) -> one,
                    LinkedHashMap::new));

    private static final Set<String> HARMLESS = lines("harmless_modules.txt").stream()
            .flatMap(line -> words(line).stream())
            .collect(Collectors.toUnmodifiableSet());

    private ListedModules() {}

    private static List<String> lines(String resource) {
        return BundledFile.text(ListedModules.class, resource)
                .lines()
                .map(line -> line.replaceFirst("#.*", "").strip())
                .filter(line -> !line.isEmpty())
                .toList();
    }

    private static List<String> words(String line) {
        return Arrays.asList(line.split(" +", -1));
    }

    /** Returns the module, or the longest of its parent packages, that may be imported early. */
    static Optional<String> early(String module) {
        String name = module;
        while (!EARLY.containsKey(name) && name.contains(".")) {
            name = name.substring(0, name.lastIndexOf('.'));
        }
        return EARLY.containsKey(name) ? Optional.of(name) : Optional.empty();
    }

    /** Returns whether a module of the standard library or of a package does not affect the imports after it. */
    static boolean isHarmless(String module) {
        return HARMLESS.contains(module.split("\\.", 2)[0]);
    }

    /** Returns these modules and the listed ones that their import imports too. */
    static Set<String> withImplied(Collection<String> modules) {
        Set<String> all = new LinkedHashSet<>();
        modules.forEach(module -> addWithImplied(module, all));
        return all;
    }

    private static void addWithImplied(String module, Set<String> all) {
        if (all.add(module)) {
            EARLY.getOrDefault(module, List.of()).forEach(implied -> addWithImplied(implied, all));
            int end = module.lastIndexOf('.');
            if (end > 0) {
                addWithImplied(module.substring(0, end), all);
            }
        }
    }
}
