package dev.pysandbox.hints;

import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** A resource that maps names to other names, one {@code name=other} in each line. */
record NameTable(Map<String, String> names) {
    /** Distributions that can't be installed, by normalised name. */
    static final NameTable REPLACEMENTS = of("replacements.properties");

    /** Attributes that no longer exist, by module or class and name. */
    static final NameTable REMOVED = of("removed_names.properties");

    /** Modules of Python 2. */
    static final NameTable OLD_MODULES = of("old_modules.properties");

    NameTable {
        names = Map.copyOf(names);
    }

    private static NameTable of(String resource) {
        return new NameTable(Distributions.lines(resource)
                .map(line -> line.split("=", 2))
                .collect(Collectors.toUnmodifiableMap(pair -> pair[0], pair -> pair[1])));
    }

    Optional<String> find(String name) {
        return Optional.ofNullable(names.get(name));
    }
}
