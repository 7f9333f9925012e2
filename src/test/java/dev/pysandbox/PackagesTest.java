package dev.pysandbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Checks that packages use only the packages that the map in CONTRIBUTING.md permits. */
class PackagesTest {
    private static final Path SOURCES = Path.of("src/main/java/dev/pysandbox");
    private static final Pattern OWN = Pattern.compile("\\bdev\\.pysandbox\\.([a-z.]+)\\.[A-Z]");
    private static final Pattern LIBRARY =
            Pattern.compile("(?m)^import (?:static )?(io\\.modelcontextprotocol|reactor|org\\.tomlj|picocli)");

    private static final int MOST_FILES = 21;

    /** The packages that each package uses. A package uses only packages below it in this list. */
    private static final Map<String, Set<String>> ARROWS = parse("""
            cli                 -> cli.clients cli.help cli.http cli.launcher cli.terminal mcp.stdio mcp.tools execution api settings support
            cli.clients         -> mcp.tools script support
            cli.help            -> cli.terminal support
            cli.http            -> mcp.http mcp mcp.tools execution settings
            cli.launcher        -> support
            cli.terminal        -> mcp.tools api support
            mcp.stdio           -> mcp mcp.tools mcp.jsonrpc execution support
            mcp.http            -> mcp mcp.jsonrpc support
            mcp                 -> mcp.tools mcp.render mcp.jsonrpc api support
            mcp.tools           -> mcp.render mcp.jsonrpc api support
            mcp.render          -> mcp.jsonrpc api support
            mcp.jsonrpc         ->
            execution           -> execution.output hints environment environment.install toolchain index supervisor sandbox.bubblewrap sandbox.docker sandbox.local sandbox egress script api support
            execution.output    -> supervisor api support
            hints               -> environment.install script api support
            environment         -> environment.install toolchain supervisor sandbox egress api support
            environment.install -> toolchain index supervisor sandbox egress api support
            toolchain           -> index sandbox support
            index               -> egress egress.address support
            supervisor          -> sandbox api support
            sandbox.bubblewrap  -> sandbox.seccomp sandbox.local sandbox egress api support
            sandbox.docker      -> sandbox.seccomp sandbox.local sandbox egress api support
            sandbox.seccomp     -> support
            sandbox.local       -> sandbox api support
            sandbox             -> egress api support
            egress              -> egress.address egress.http support
            egress.http         ->
            api                 -> egress.address settings support
            egress.address      ->
            settings            ->
            script              -> support
            support             ->
            """);

    /** The factory method of the Java API creates the implementation. */
    private static final Set<String> EXCEPTIONS = Set.of("PythonSandbox.java (api) uses execution");

    private static final Map<String, Set<String>> HOMES = Map.of(
            "io.modelcontextprotocol", Set.of("mcp", "mcp.jsonrpc", "mcp.tools"),
            "reactor", Set.of("mcp"),
            "org.tomlj", Set.of("script"),
            "picocli", Set.of("cli", "cli.help", "cli.terminal"));

    @Test
    void packagesUseOnlyWhatTheMapAllows() throws IOException {
        List<String> against = new ArrayList<>();
        for (Path file : sources()) {
            String here = packageOf(file);
            assertTrue(ARROWS.containsKey(here), here + " is not on the map");
            for (MatchResult match :
                    OWN.matcher(Files.readString(file)).results().toList()) {
                String there = match.group(1);
                String use = file.getFileName() + " (" + here + ") uses " + there;
                if (!there.equals(here)
                        && !ARROWS.getOrDefault(here, Set.of()).contains(there)
                        && !EXCEPTIONS.contains(use)) {
                    against.add(use);
                }
            }
        }
        assertEquals(List.of(), against);
    }

    @Test
    void theMapHasNoCycle() {
        List<String> below = new ArrayList<>(ARROWS.keySet());
        while (!below.isEmpty()) {
            List<String> left = below;
            List<String> free = below.stream()
                    .filter(name -> ARROWS.getOrDefault(name, Set.of()).stream().noneMatch(left::contains))
                    .toList();
            assertTrue(!free.isEmpty(), "a cycle among " + below);
            below = below.stream().filter(name -> !free.contains(name)).toList();
        }
    }

    @Test
    void packagesStaySmall() throws IOException {
        Map<String, Long> sizes = sources().stream()
                .filter(file -> !file.endsWith("package-info.java"))
                .collect(Collectors.groupingBy(PackagesTest::packageOf, TreeMap::new, Collectors.counting()));
        sizes.values().removeIf(files -> files <= MOST_FILES);
        assertEquals(Map.of(), sizes);
    }

    @Test
    void librariesStayAtHome() throws IOException {
        List<String> strangers = new ArrayList<>();
        for (Path file : sources()) {
            for (MatchResult match :
                    LIBRARY.matcher(Files.readString(file)).results().toList()) {
                if (!HOMES.getOrDefault(match.group(1), Set.of()).contains(packageOf(file))) {
                    strangers.add(file + " uses " + match.group(1));
                }
            }
        }
        assertEquals(List.of(), strangers);
    }

    private static Map<String, Set<String>> parse(String lines) {
        Map<String, Set<String>> arrows = new TreeMap<>();
        for (String line : lines.lines().toList()) {
            String[] sides = line.split("->", -1);
            String uses = sides[1].strip();
            arrows.put(sides[0].strip(), uses.isEmpty() ? Set.of() : Set.of(uses.split(" ", -1)));
        }
        return arrows;
    }

    private static List<Path> sources() throws IOException {
        try (Stream<Path> files = Files.walk(SOURCES)) {
            return files.filter(file -> file.toString().endsWith(".java")).toList();
        }
    }

    private static String packageOf(Path file) {
        return SOURCES.relativize(file.getParent()).toString().replace('/', '.');
    }
}
