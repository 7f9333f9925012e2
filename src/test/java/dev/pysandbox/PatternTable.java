package dev.pysandbox;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * All regular expressions of the program, found in its classes and sources, and the worst inputs for each from {@code
 * patterns.txt}. {@link #main} prints how long each one takes.
 */
final class PatternTable {
    private static final Path CLASSES = Path.of("target/classes");
    private static final Path SOURCES = Path.of("src/main/java/dev/pysandbox");
    private static final Path TABLE = Path.of("src/test/resources/dev/pysandbox/patterns.txt");
    private static final int MEGABYTE = 1 << 20;
    private static final ThreadMXBean CLOCK = ManagementFactory.getThreadMXBean();
    private static final Pattern INLINE =
            Pattern.compile("\\.(?:replaceAll|replaceFirst|matches|split)\\(\\s*\"((?:[^\"\\\\]|\\\\.)*)\"");

    /** A pattern of one character or character class, possibly repeated, which always takes linear time. */
    private static final Pattern SIMPLE = Pattern.compile("(?s)|(?:\\\\?.|\\[[^\\]]*])\\+{0,2}|[\\w=: -]+");

    private PatternTable() {}

    /** How a pattern is applied. */
    enum Use {
        FIND,
        MATCHES,
        LOOKING_AT,
        /** Its input is never chosen by a script, a package or an index. */
        HOST
    }

    /**
     * A line of the table and the indented lines below it.
     *
     * @param longest the length of the longest input of the pattern, in characters
     * @param count the number of patterns that the entry covers
     * @param pumps each a prefix, a repeated part and a suffix
     */
    record Entry(Use use, int longest, int count, List<List<String>> pumps) {
        Stream<String> texts(int length) {
            int bounded = Math.min(length, longest);
            return pumps.stream().map(pump -> {
                int times = (bounded - pump.get(0).length() - pump.get(2).length())
                        / pump.get(1).length();
                return pump.get(0) + pump.get(1).repeat(Math.max(1, times)) + pump.get(2);
            });
        }
    }

    /** Applies a pattern in the same way as the program. */
    static void apply(Pattern pattern, Use use, CharSequence text) {
        Matcher matcher = pattern.matcher(text);
        switch (use) {
            case FIND -> {
                while (matcher.find()) {}
            }
            case MATCHES -> matcher.matches();
            default -> matcher.lookingAt();
        }
    }

    static Map<String, Entry> entries() {
        Map<String, Entry> entries = new LinkedHashMap<>();
        List<List<String>> pumps = new ArrayList<>();
        for (String line : lines(TABLE)) {
            if (line.startsWith("    ")) {
                String[] parts = line.strip().split("[«»]", -1);
                pumps.add(Stream.of(parts).map(String::translateEscapes).toList());
            } else if (!line.isBlank() && !line.startsWith("#")) {
                String[] words = line.split(" +", -1);
                pumps = new ArrayList<>();
                entries.put(
                        words[0],
                        new Entry(
                                Use.valueOf(words[1]),
                                words.length > 2 ? Integer.parseInt(words[2]) : MEGABYTE,
                                words.length > 3 ? Integer.parseInt(words[3]) : 1,
                                pumps));
            }
        }
        return entries;
    }

    /** Returns the patterns by the name of their constant, or by {@code CLASS.inline} if they have none. */
    static Map<String, List<Pattern>> found() {
        Map<String, List<Pattern>> found = new TreeMap<>();
        for (Path file : below(CLASSES.resolve("dev/pysandbox"), ".class")) {
            String name = CLASSES.relativize(file).toString().replace('/', '.').replaceFirst("\\.class$", "");
            constants(name, found);
        }
        for (Path file : below(SOURCES, ".java")) {
            String name = SOURCES.relativize(file).toString().replace('/', '.').replaceFirst("\\.java$", ".inline");
            INLINE.matcher(String.join("\n", lines(file)))
                    .results()
                    .map(match -> match.group(1).translateEscapes())
                    .filter(regex -> !SIMPLE.matcher(regex).matches())
                    .forEach(regex -> found.computeIfAbsent(name, each -> new ArrayList<>())
                            .add(Pattern.compile(regex)));
        }
        return found;
    }

    private static void constants(String className, Map<String, List<Pattern>> found) {
        try {
            for (Field field : Class.forName(className, false, PatternTable.class.getClassLoader())
                    .getDeclaredFields()) {
                boolean rules = field.getType().getSimpleName().equals("HintRules");
                if (!Modifier.isStatic(field.getModifiers()) || !(rules || field.getType() == Pattern.class)) {
                    continue;
                }
                field.setAccessible(true);
                String name = className.replaceFirst("^dev\\.pysandbox\\.", "") + "." + field.getName();
                found.put(name, rules ? rules(field.get(null)) : List.of((Pattern) field.get(null)));
            }
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(className, e);
        }
    }

    private static List<Pattern> rules(Object rules) throws ReflectiveOperationException {
        Method patterns = rules.getClass().getDeclaredMethod("patterns");
        patterns.setAccessible(true);
        return ((Stream<?>) patterns.invoke(rules)).map(Pattern.class::cast).toList();
    }

    /** Returns the files that compile a pattern in a method rather than in a constant. */
    static List<String> compiledInMethods() {
        List<String> places = new ArrayList<>();
        for (Path file : below(SOURCES, ".java")) {
            String before = "";
            for (String line : lines(file)) {
                boolean constant = line.contains("static final Pattern") || before.contains("static final Pattern");
                if (line.contains("Pattern.compile(") && !constant) {
                    places.add(SOURCES.relativize(file).toString());
                }
                before = line;
            }
        }
        return places;
    }

    private static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<Path> below(Path folder, String ending) {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(ending))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Prints the CPU time in milliseconds that each pattern takes for its worst input, the slowest first. */
    public static void main(String[] arguments) {
        Map<String, List<Pattern>> found = found();
        Map<String, Double> times = new LinkedHashMap<>();
        entries().forEach((name, entry) -> {
            for (Pattern pattern : entry.use() == Use.HOST ? List.<Pattern>of() : found.get(name)) {
                entry.texts(MEGABYTE)
                        .forEach(text -> times.merge(name, milliseconds(pattern, entry.use(), text), Math::max));
            }
        });
        times.entrySet().stream()
                .sorted(Map.Entry.comparingByValue(Comparator.reverseOrder()))
                .forEach(time -> System.out.printf("%8.1f ms  %s%n", time.getValue(), time.getKey()));
    }

    private static double milliseconds(Pattern pattern, Use use, String text) {
        double best = Double.MAX_VALUE;
        for (int i = 0; i < 5; i++) {
            long start = CLOCK.getCurrentThreadCpuTime();
            apply(pattern, use, text);
            best = Math.min(best, (CLOCK.getCurrentThreadCpuTime() - start) / 1e6);
        }
        return best;
    }
}
