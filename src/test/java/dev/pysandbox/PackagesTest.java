package dev.pysandbox;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Holds the code to the map in CONTRIBUTING.md. */
class PackagesTest {
    private static final Path SOURCES = Path.of("src/main/java/dev/pysandbox");
    private static final Pattern OWN = Pattern.compile("\\bdev\\.pysandbox\\.([a-z]+)\\.");
    private static final Pattern LIBRARY =
            Pattern.compile("(?m)^import (?:static )?(io\\.modelcontextprotocol|reactor|org\\.tomlj|picocli)");

    /** What each package may use. */
    private static final Map<String, Set<String>> ARROWS = Map.of(
            "", Set.of("mcp", "run", "script", "sandbox", "process"),
            "mcp", Set.of("run"),
            "run", Set.of("env", "script", "supervisor", "sandbox", "egress", "process"),
            "env", Set.of("supervisor", "sandbox", "egress", "process"),
            "supervisor", Set.of("sandbox", "process"),
            "sandbox", Set.of("egress", "process"),
            "script", Set.of(),
            "egress", Set.of(),
            "process", Set.of());

    private static final Map<String, String> HOMES =
            Map.of("io.modelcontextprotocol", "mcp", "reactor", "mcp", "org.tomlj", "script", "picocli", "");

    @Test
    void arrowsPointOneWay() throws IOException {
        List<String> against = new ArrayList<>();
        for (Path file : sources()) {
            String here = packageOf(file);
            for (MatchResult match :
                    OWN.matcher(Files.readString(file)).results().toList()) {
                String there = match.group(1);
                if (!there.equals(here) && !ARROWS.getOrDefault(here, Set.of()).contains(there)) {
                    against.add(file.getFileName() + " (" + here + ") uses " + there);
                }
            }
        }
        assertEquals(List.of(), against);
    }

    @Test
    void librariesStayAtHome() throws IOException {
        List<String> strangers = new ArrayList<>();
        for (Path file : sources()) {
            for (MatchResult match :
                    LIBRARY.matcher(Files.readString(file)).results().toList()) {
                if (!packageOf(file).equals(HOMES.get(match.group(1)))) {
                    strangers.add(file.getFileName() + " uses " + match.group(1));
                }
            }
        }
        assertEquals(List.of(), strangers);
    }

    private static List<Path> sources() throws IOException {
        try (Stream<Path> files = Files.walk(SOURCES)) {
            return files.filter(file -> file.toString().endsWith(".java")).toList();
        }
    }

    private static String packageOf(Path file) {
        Path relative = SOURCES.relativize(file);
        return relative.getNameCount() == 1 ? "" : relative.getName(0).toString();
    }
}
