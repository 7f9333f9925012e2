package dev.pysandbox.script;

import dev.pysandbox.script.ImportReader.Import;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Finds the slow imports at the beginning of a script, before anything that could affect them. A sandbox can do them
 * before it receives the script.
 *
 * <p>Only imports precede them, and only of modules that are listed in this program: an unknown package could change how
 * those after it are imported, and so could a statement such as {@code os.environ["OMP_NUM_THREADS"] = "1"}.
 */
public final class LeadingImports {
    private static final int MOST_MODULES = 100;

    /** The most modules to import early, so that their names fit into the setup of a sandbox. */
    private static final int MOST_EARLY = 20;

    private static final int LONGEST_NAME = 200;

    private LeadingImports() {}

    /** Returns the modules that may be imported early, in the order of the script. */
    public static List<String> of(String source) {
        Set<String> found = new LinkedHashSet<>();
        for (Import each : ImportReader.read(source)) {
            for (String module : modules(each).toList()) {
                if (module.length() > LONGEST_NAME || found.size() == MOST_EARLY) {
                    return List.copyOf(found);
                }
                Optional<String> early = ListedModules.early(module);
                if (early.isEmpty() && !ListedModules.isHarmless(module)) {
                    return List.copyOf(found);
                }
                early.ifPresent(found::add);
            }
        }
        return List.copyOf(found);
    }

    /** Returns all modules that the first statements of a script import, and the names that may be modules. */
    public static List<String> all(String source) {
        return ImportReader.read(source).stream()
                .flatMap(LeadingImports::modules)
                .distinct()
                .limit(MOST_MODULES)
                .toList();
    }

    /** Returns the early modules that are imported if these are: they, their packages and what they always import. */
    public static Set<String> withImplied(Collection<String> early) {
        return ListedModules.withImplied(early);
    }

    private static Stream<String> modules(Import statement) {
        return Stream.concat(
                Stream.of(statement.module()), statement.names().stream().map(name -> statement.module() + "." + name));
    }
}
