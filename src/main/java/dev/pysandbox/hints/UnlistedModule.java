package dev.pysandbox.hints;

import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A module that no list of known packages has. Anybody may register a package with its name, so a package is the last
 * thing to propose: the module may be a file that was not passed, or misspelt.
 */
record UnlistedModule(String name) {
    private static final Set<String> LOCAL =
            Distributions.lines("local_modules.txt").collect(Collectors.toUnmodifiableSet());

    /** Whether the name is one that people give to their own modules. */
    boolean isLocal() {
        return LOCAL.contains(name);
    }

    /** Whether the words of the name are joined, as in {@code my_helper}, which is rare for packages. */
    boolean isJoined() {
        return name.contains("_");
    }

    /** Returns the module of the standard library or of a known package that is meant if the name is misspelt. */
    Optional<String> meant() {
        return isLocal() ? Optional.empty() : KnownNames.nearestModule(name);
    }

    /** @param file the module's path below the working folder */
    static String asFile(String file) {
        return "Pass a module of your own as files={" + ScriptEdit.quoted(file) + ": \"...\"}";
    }
}
