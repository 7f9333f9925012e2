package dev.pysandbox.execution;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ImportHistoryTest {
    private static final Path ENVIRONMENT = Path.of("/environments/a");

    private final ImportHistory history = new ImportHistory();

    private Set<String> add(String... imports) {
        return Set.copyOf(history.add(ENVIRONMENT, List.of(imports)));
    }

    @Test
    void oneScriptIsAllScripts() {
        assertEquals(Set.of("click"), add("click"));
        assertEquals(Set.of("click"), add("click"));
    }

    @Test
    void findsWhatDifferentScriptsHaveInCommon() {
        add("pandas", "click");
        assertEquals(Set.of("pandas", "numpy"), add("pandas", "requests"));
        assertEquals(Set.of("pandas", "numpy"), add("yaml", "pandas"));
        assertEquals(Set.of("pandas", "numpy"), add("bs4"));
    }

    @Test
    void aMinorityIsNotServed() {
        add("pandas");
        add("click");
        assertEquals(Set.of(), add("yaml"));
    }

    @Test
    void countsScriptsThatImportAllOfThemTogether() {
        add("click", "yaml");
        add("click", "yaml");
        add("click", "bs4");
        assertEquals(Set.of("click"), add("click", "bs4"), "only half import yaml");
    }

    @Test
    void oldScriptsAreForgotten() {
        for (int i = 0; i < 100; i++) {
            add("click");
        }
        for (int i = 0; i < 8; i++) {
            add("yaml");
        }
        assertEquals(Set.of("yaml"), add("yaml"));
    }

    @Test
    void environmentsAreCountedApartAndLimited() {
        add("click");
        for (int i = 0; i < 1000; i++) {
            assertEquals(List.of("yaml"), history.add(Path.of("/environments/" + i), List.of("yaml")));
        }
        assertEquals(Set.of("bs4"), add("bs4"), "forgotten, because others were used since");
    }
}
