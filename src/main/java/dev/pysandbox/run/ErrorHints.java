package dev.pysandbox.run;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What helps against an exception, where something is sure to help, told from the end of the traceback. */
final class ErrorHints {
    private static final int END = 6000;
    private static final int MOST_NAMES = 20;
    private static final Map<String, String> ALIASES =
            Map.of("np", "numpy", "pd", "pandas", "plt", "matplotlib.pyplot", "sns", "seaborn", "pl", "polars");
    private static final Pattern CARET = Pattern.compile("script\\.py\", line (\\d+)\\n {4}.*\\n {4}( *)[~^]+");

    private final Config config;
    private final ExecutionRequest request;
    private final String stderr;
    private final List<ProducedFile> made;

    /** The first that fits and has something to say is taken. */
    private final Map<Pattern, Function<MatchResult, Optional<String>>> rules = new LinkedHashMap<>();

    ErrorHints(Config config, ExecutionRequest request, String stderr, List<ProducedFile> made) {
        this.config = config;
        this.request = request;
        this.stderr = "\n" + stderr.substring(Math.max(0, stderr.length() - END));
        this.made = made;
        addPackageRules();
        addScriptRules();
        addSurroundingsRules();
    }

    Optional<String> hint() {
        return rules.entrySet().stream()
                .flatMap(rule -> rule.getKey().matcher(stderr).results().reduce((first, second) -> second).stream()
                        .flatMap(match -> rule.getValue().apply(match).stream()))
                .findFirst();
    }

    private void addPackageRules() {
        rule(
                "No module named '_?tkinter'|no display name and no \\$DISPLAY|Cannot load backend '\\w+'",
                "there is no screen: leave out tkinter and matplotlib.use(...); plt.show() gives images here");
        rule("libGL\\.so[.\\d]*: cannot open shared object|libgthread-[\\w.-]+: cannot open", match -> headless());
        rule(
                "(lib[\\w.+-]+\\.so[.\\d]*): cannot open shared object",
                match -> Optional.of("the system library " + match.group(1)
                        + " is not in the sandbox and can't be installed; choose a package that does not need it"));
        rule("Missing optional dependency '([\\w.-]+)'", match -> add(match.group(1)));
        rule("(?:pip|conda)(?: to)? install(?: the)? [`'\"]?([A-Za-z][\\w.-]*)", match -> add(match.group(1)));
        rule("tree builder with the features you requested: (\\w+)", match -> add(match.group(1)));
        rule("tried using:\\s*'(\\w+)'", match -> add(match.group(1)));
        rule("No time zone found with key", match -> add("tzdata"));
    }

    private void addScriptRules() {
        rule("\\n(?:SyntaxError|IndentationError|TabError): (.+)", this::syntax);
        rule("NameError: name '(\\w+)' is not defined", this::name);
        rule("EOFError: EOF when reading a line", "stdin is empty: replace input() by a value in the script");
        rule("UnicodeDecodeError: .*", match -> Optional.of(encoding(match.group())));
        rule("UnicodeEncodeError: ", "open the file with encoding=\"utf-8\"");
        rule(
                "asyncio\\.run\\(\\) cannot be called from a running event loop",
                "inside a coroutine, await the other one instead of calling asyncio.run()");
        rule("finished its\\s+bootstrapping phase", "start processes only below: if __name__ == \"__main__\":");
        rule(
                "RecursionError: maximum recursion depth exceeded",
                "the recursion has no end, or needs sys.setrecursionlimit(10000) at the start of the script");
    }

    private void addSurroundingsRules() {
        rule(
                "FileNotFoundError: .*No such file or directory: '([^']*)'",
                match -> Optional.of(missing(match.group(1))));
        rule(
                "(?:Permission denied|Read-only file system): '([^']*)'",
                match -> Optional.of("only the working folder, the home folder and /tmp can be written to: use the"
                        + " relative name \"" + lastPart(match.group(1)) + "\" instead of \"" + match.group(1) + "\""));
        rule(
                "No space left on device",
                "the folders that a script can write to hold " + config.tmpSize()
                        + " each: write less (--tmp-size raises the limit)");
        rule(
                "can't start new thread|BlockingIOError: \\[Errno 11]",
                "a script may have " + config.maxProcesses()
                        + " processes and threads: use fewer (--max-processes raises the limit)");
    }

    private void rule(String pattern, String hint) {
        rule(pattern, match -> Optional.of(hint));
    }

    private void rule(String pattern, Function<MatchResult, Optional<String>> hint) {
        rules.put(Pattern.compile(pattern), hint);
    }

    private Optional<String> add(String module) {
        DependencyList list = new DependencyList(request.dependencies());
        String distribution = Distributions.providing(module);
        return list.names(distribution)
                ? Optional.empty()
                : Optional.of("a package that is optional elsewhere is needed here; call again with "
                        + list.plus(distribution));
    }

    private Optional<String> headless() {
        DependencyList list = new DependencyList(request.dependencies());
        return Stream.of("opencv-python", "opencv-contrib-python")
                .filter(list::names)
                .map(name -> "there is no screen; call again with " + list.replacing(name, name + "-headless"))
                .findFirst();
    }

    private Optional<String> syntax(MatchResult match) {
        String script = request.script();
        if (script.stripLeading().startsWith("```")) {
            return Optional.of("send the script without the Markdown fence (```) around it");
        }
        if (script.lines().anyMatch(line -> line.stripLeading().startsWith("!pip "))) {
            return Optional.of("leave out the !pip lines and pass the packages as dependencies");
        }
        if (script.lines().anyMatch(line -> line.startsWith("%"))) {
            return Optional.of("leave out the lines that start with %: they are for notebooks");
        }
        if (match.group(1).startsWith("'await' outside")) {
            return Optional.of("put the code into async def main(): and call asyncio.run(main())");
        }
        return CARET.matcher(stderr)
                .results()
                .reduce((first, second) -> second)
                .map(place -> "line " + place.group(1) + ", column "
                        + column(
                                Integer.parseInt(place.group(1)), place.group(2).length()) + ": " + match.group(1));
    }

    /** The traceback shows the line without its indentation. */
    private int column(int line, int shown) {
        String source = request.script().lines().skip(line - 1L).findFirst().orElse("");
        return shown + 1 + source.length() - source.stripLeading().length();
    }

    private Optional<String> name(MatchResult match) {
        return Optional.ofNullable(ALIASES.get(match.group(1)))
                .map(module -> "put this line first: import " + module + " as " + match.group(1) + " (and call again"
                        + " with "
                        + new DependencyList(request.dependencies()).plus(module.split("\\.", 2)[0]) + ")");
    }

    private static String encoding(String error) {
        boolean wide = error.contains("byte 0xff in position 0") || error.contains("byte 0xfe in position 0");
        return "the text is not UTF-8; read it with encoding=\"" + (wide ? "utf-16" : "latin-1") + "\"";
    }

    private String missing(String name) {
        if (stderr.contains("subprocess.py\", line") && !name.contains("/")) {
            return "the program " + name
                    + " is not in the sandbox and can't be installed; use a Python package instead";
        }
        String present = Stream.concat(
                        request.files().stream().map(InputFile::name),
                        made.stream().map(ProducedFile::name))
                .distinct()
                .limit(MOST_NAMES)
                .collect(Collectors.joining(", "));
        String data = config.mounts().stream().map(Config.DataFolder::target).collect(Collectors.joining(", "));
        return "there is no " + name + "; the working folder holds "
                + (present.isEmpty() ? "no files" : present) + (data.isEmpty() ? "" : ", data is in " + data)
                + ". Pass its content as files={\"" + lastPart(name) + "\": \"...\"} and open \"" + lastPart(name)
                + "\"";
    }

    private static String lastPart(String path) {
        return path.substring(path.lastIndexOf('/') + 1);
    }
}
