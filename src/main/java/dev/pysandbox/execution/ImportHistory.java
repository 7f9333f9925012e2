package dev.pysandbox.execution;

import dev.pysandbox.script.LeadingImports;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Counts what the last scripts of each environment import first. It is only in memory. */
final class ImportHistory {
    private static final int MOST_ENVIRONMENTS = 32;
    private static final int MOST_SCRIPTS = 16;

    /** The imports of the last scripts by environment, the most recently used environment last. */
    private final Map<Path, Deque<List<String>>> scripts = new LinkedHashMap<>(16, 0.75f, true);

    /**
     * Adds a script. Returns the modules that more than half of the last scripts import together: what a sandbox can
     * import for most scripts, even if no two import the same.
     *
     * @param imports what the script imports first
     */
    synchronized List<String> add(Path environment, List<String> imports) {
        Deque<List<String>> last = scripts.computeIfAbsent(environment, folder -> new ArrayDeque<>());
        last.addFirst(List.copyOf(imports));
        if (last.size() > MOST_SCRIPTS) {
            last.removeLast();
        }
        if (scripts.size() > MOST_ENVIRONMENTS) {
            scripts.remove(scripts.keySet().iterator().next());
        }
        return usual(last);
    }

    /** Adds the module that most scripts import, then the one that most of these import, and so on. */
    private static List<String> usual(Collection<List<String>> last) {
        List<String> found = new ArrayList<>();
        List<Set<String>> having =
                last.stream().map(LeadingImports::withImplied).toList();
        Optional<String> next = mostFrequent(having, found);
        while (next.isPresent()) {
            String module = next.get();
            having = having.stream().filter(script -> script.contains(module)).toList();
            if (having.size() * 2 <= last.size()) {
                break;
            }
            found.add(module);
            next = mostFrequent(having, found);
        }
        return List.copyOf(found);
    }

    /** Returns the module that is in most of the sets; the first of several. */
    private static Optional<String> mostFrequent(List<Set<String>> scripts, List<String> except) {
        Map<String, Integer> counts = new LinkedHashMap<>();
        scripts.forEach(script -> script.forEach(module -> counts.merge(module, 1, Integer::sum)));
        except.forEach(counts::remove);
        return counts.entrySet().stream()
                .max(Map.Entry.comparingByValue(Comparator.naturalOrder()))
                .map(Map.Entry::getKey);
    }
}
