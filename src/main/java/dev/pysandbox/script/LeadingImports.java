package dev.pysandbox.script;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Finds the slow imports at the beginning of a script, before anything that could affect them. A sandbox can do them
 * before it receives the script.
 *
 * <p>Reading stops at the first line that is not a plain import of a module that is known here, such as
 * {@code os.environ["OMP_NUM_THREADS"] = "1"}, {@code matplotlib.use("svg")}, another package or an indented import.
 */
public final class LeadingImports {
    /** Packages that import without output, threads or open files, and that work after a fork. */
    private static final Set<String> EARLY = Set.of("numpy", "pandas", "matplotlib", "matplotlib.pyplot");

    /** Modules of the standard library whose import does not affect later imports. */
    private static final Set<String> HARMLESS =
            Set.of(("__future__ abc argparse asyncio base64 bisect calendar collections concurrent contextlib copy csv"
                            + " dataclasses datetime decimal enum fractions functools glob hashlib heapq html inspect"
                            + " io itertools json locale logging math numbers operator os pathlib pickle platform"
                            + " pprint random re shutil sqlite3 statistics string struct subprocess sys tempfile"
                            + " textwrap threading time traceback types typing unicodedata urllib uuid warnings zlib")
                    .split(" ", -1));

    private static final int MOST_MODULES = 100;
    private static final int LONGEST_LINE = 300;
    private static final String NAME = "[A-Za-z_][A-Za-z0-9_.]*+";
    private static final String ITEM = NAME + "(?: +as +" + NAME + ")?+";
    private static final String ITEMS = "(" + ITEM + "(?: *, *" + ITEM + ")*+) *(?:#.*)?";
    private static final Pattern IMPORT = Pattern.compile("import +" + ITEMS);
    private static final Pattern FROM = Pattern.compile("from +(" + NAME + ") +import +" + ITEMS);
    private static final Pattern ONE_LINE_TEXT = Pattern.compile("\"\"\"[^\"\\\\]*+\"\"\" *");

    /** Selects matplotlib's only backend, before or after the import of pyplot. */
    private static final Pattern SAME_BACKEND = Pattern.compile("matplotlib\\.use\\((['\"])[Aa]gg\\1\\) *(?:#.*)?");

    private LeadingImports() {}

    /** Returns the modules in the order of the script. */
    public static List<String> of(String source) {
        Set<String> found = new LinkedHashSet<>();
        for (String line : source.lines().limit(500).toList()) {
            boolean nothing = line.isBlank()
                    || line.startsWith("#")
                    || SAME_BACKEND.matcher(line).matches()
                    || (found.isEmpty() && ONE_LINE_TEXT.matcher(line).matches());
            if (nothing) {
                continue;
            }
            for (String module : line.length() > LONGEST_LINE ? List.of("") : modules(line)) {
                Optional<String> early = longestKnown(module);
                if (early.isEmpty() && !HARMLESS.contains(module.split("\\.", 2)[0])) {
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
                .flatMap(each -> Stream.concat(
                        Stream.of(each.module()), each.names().stream().map(name -> each.module() + "." + name)))
                .distinct()
                .limit(MOST_MODULES)
                .toList();
    }

    /** Returns the modules that a line imports; contains an empty name if the line does anything else. */
    private static List<String> modules(String line) {
        Matcher plain = IMPORT.matcher(line);
        if (plain.matches()) {
            return names(plain.group(1), "");
        }
        Matcher from = FROM.matcher(line);
        if (from.matches()) {
            List<String> modules = new ArrayList<>(List.of(from.group(1)));
            modules.addAll(names(from.group(2), from.group(1) + "."));
            return modules;
        }
        return List.of("");
    }

    private static List<String> names(String items, String prefix) {
        List<String> names = new ArrayList<>();
        for (String item : items.split(",", -1)) {
            names.add(prefix + item.strip().split(" ", 2)[0]);
        }
        return names;
    }

    private static Optional<String> longestKnown(String module) {
        String name = module;
        while (!EARLY.contains(name) && name.contains(".")) {
            name = name.substring(0, name.lastIndexOf('.'));
        }
        return EARLY.contains(name) ? Optional.of(name) : Optional.empty();
    }
}
