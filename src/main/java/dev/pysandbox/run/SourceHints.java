package dev.pysandbox.run;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** What to change in a script whose text is wrong: syntax, names, encodings; told from the end of the traceback. */
final class SourceHints {
    private static final int MOST_LINES = 5;
    private static final Map<String, String> ALIASES =
            Map.of("np", "numpy", "pd", "pandas", "plt", "matplotlib.pyplot", "sns", "seaborn", "pl", "polars");
    private static final Map<String, String> TYPOGRAPHY =
            Map.of("\u201c", "\"", "\u201d", "\"", "\u2018", "'", "\u2019", "'", "\u00a0", " ", "\u2013", "-");
    private static final Pattern CARET = Pattern.compile("script\\.py\", line (\\d+)\\n {4}.*\\n {4}( *)[~^]+");
    private static final Pattern OPENING =
            Pattern.compile("(?:open|read_csv|read_table|read_text)\\((?![^()]*['\"][rwax]?b)[^()]*\\)");
    private static final Pattern ENCODING = Pattern.compile("encoding\\s*=\\s*['\"][\\w-]+['\"]");
    private static final Pattern OLD_PRINT = Pattern.compile("(?m)^[ \\t]*(print +([^(\\s=].*?))[ \\t]*$");
    private static final Pattern PIP_LINE = Pattern.compile("(?m)^[ \\t]*[!%]\\s*(?:uv )?pip3? install (.+)$");

    private final ExecutionRequest request;
    private final String script;
    private final String stderr;

    private final HintRules rules = new HintRules();

    SourceHints(ExecutionRequest request, String stderr) {
        this.request = request;
        this.script = request.script();
        this.stderr = stderr;
        addSyntaxRules();
        addNameRules();
        addValueRules();
    }

    Optional<String> hint() {
        return rules.hint(stderr);
    }

    private void addSyntaxRules() {
        rules.add("\\n(?:SyntaxError|IndentationError|TabError): (.+)", this::syntax);
    }

    private void addNameRules() {
        rules.add("NameError: name '(\\w+)' is not defined", match -> alias(match.group(1)));
        rules.add(
                "Did you forget to import '([\\w.]+)'\\?",
                match -> Optional.of(ScriptEdit.putFirst("import " + match.group(1))));
        rules.add(
                "cannot import name '(\\w+)' from 'collections'",
                match -> Optional.of(ScriptEdit.replace("from collections import", "from collections.abc import")));
        rules.add(
                "module 'collections' has no attribute '(\\w+)'",
                match -> Optional.of(
                        ScriptEdit.replace("collections." + match.group(1), "collections.abc." + match.group(1))
                                + " and " + ScriptEdit.putFirst("import collections.abc")));
        rules.add(
                "`(np\\.\\w+)` was a deprecated alias for the builtin `(\\w+)`",
                match -> Optional.of(ScriptEdit.replace(match.group(1), match.group(2))));
        rules.add(
                "`(np\\.\\w+)` was removed in the NumPy 2\\.0 release\\. Use `(?:numpy|(np))(\\.[\\w.]+)` instead",
                match -> Optional.of(ScriptEdit.replace(match.group(1), "np" + match.group(3))));
        rules.add(
                "AttributeError: .*no attribute '(\\w+)'\\. Did you mean: '([\\w.]+)'\\?",
                match -> Optional.of(ScriptEdit.replace("." + match.group(1), "." + match.group(2))));
        rules.add(
                "(?:name|named|argument) '(\\w+)'.* Did you mean:? '([\\w.]+)'\\?",
                match -> Optional.of(ScriptEdit.replace(match.group(1), match.group(2))));
    }

    private void addValueRules() {
        rules.add(
                "EOFError: EOF when reading a line",
                match -> Optional.of("stdin is empty: replace input() by a value in the script"));
        rules.add("UnicodeDecodeError: .*", match -> Optional.of(decoding(match.group())));
        rules.add("UnicodeEncodeError: ", match -> Optional.of(encoding()));
        rules.add(
                "asyncio\\.run\\(\\) cannot be called from a running event loop",
                match -> Optional.of("inside a coroutine, await the other one instead of calling asyncio.run()"));
        rules.add(
                "finished its\\s+bootstrapping phase",
                match -> Optional.of("start processes only below: if __name__ == \"__main__\":"));
        rules.add(
                "RecursionError: maximum recursion depth exceeded",
                match -> Optional.of("if the recursion has an end, "
                        + ScriptEdit.putFirst("import sys; sys.setrecursionlimit(20000)")));
    }

    private Optional<String> alias(String name) {
        return Optional.ofNullable(ALIASES.get(name))
                .map(module -> ScriptEdit.putFirst("import " + module + " as " + name) + " and call again with "
                        + new DependencyList(request.dependencies()).plus(module.split("\\.", 2)[0]));
    }

    private Optional<String> syntax(MatchResult match) {
        if (script.stripLeading().startsWith("```")) {
            return Optional.of("send the script without the Markdown around it: " + ScriptEdit.leaveOut("```"));
        }
        Optional<String> notebook = notebook();
        if (notebook.isPresent()) {
            return notebook;
        }
        if (match.group(1).startsWith("invalid character") || match.group(1).startsWith("invalid non-printable")) {
            Map<String, String> found = new LinkedHashMap<>();
            TYPOGRAPHY.keySet().stream()
                    .sorted()
                    .filter(script::contains)
                    .forEach(each -> found.put(each, TYPOGRAPHY.get(each)));
            if (!found.isEmpty()) {
                return Optional.of(ScriptEdit.replaceAll(found));
            }
        }
        if (match.group(1).startsWith("Missing parentheses in call to 'print'")) {
            Map<String, String> found = new LinkedHashMap<>();
            OLD_PRINT
                    .matcher(script)
                    .results()
                    .limit(MOST_LINES)
                    .forEach(line -> found.put(line.group(1), "print(" + line.group(2) + ")"));
            return Optional.of("this is Python 2: " + ScriptEdit.replaceAll(found));
        }
        if (match.group(1).startsWith("'await' outside")) {
            return Optional.of("put the code into async def main(): and call asyncio.run(main())");
        }
        return place().map(place -> place + ": " + match.group(1));
    }

    /** Lines that only notebooks understand. */
    private Optional<String> notebook() {
        List<String> packages = new ArrayList<>();
        PIP_LINE.matcher(script)
                .results()
                .flatMap(line -> List.of(line.group(1).strip().split("\\s+")).stream())
                .filter(word -> !word.startsWith("-"))
                .forEach(packages::add);
        Optional<String> sign = List.of("!", "%").stream()
                .filter(each ->
                        script.lines().anyMatch(line -> line.stripLeading().startsWith(each)))
                .findFirst();
        return sign.map(each -> {
            DependencyList list = new DependencyList(request.dependencies());
            for (String word : packages) {
                list = list.plus(word.replaceAll("^['\"]|['\"]$", ""));
            }
            return "this is for notebooks: " + ScriptEdit.leaveOut(each)
                    + (packages.isEmpty() ? "" : " and call again with " + list);
        });
    }

    private Optional<String> place() {
        return CARET.matcher(stderr)
                .results()
                .reduce((first, second) -> second)
                .map(place -> "line " + place.group(1) + ", column "
                        + column(
                                Integer.parseInt(place.group(1)), place.group(2).length()));
    }

    /** The traceback shows the line without its indentation. */
    private int column(int line, int shown) {
        String source = script.lines().skip(line - 1L).findFirst().orElse("");
        return shown + 1 + source.length() - source.stripLeading().length();
    }

    private String decoding(String error) {
        boolean wide = error.contains("byte 0xff in position 0") || error.contains("byte 0xfe in position 0");
        String wanted = "encoding='" + (wide ? "utf-16" : "latin-1") + "'";
        return "the text is not UTF-8; "
                + opening()
                        .map(call -> ScriptEdit.replace(call, with(call, wanted)))
                        .orElse("read it with " + wanted);
    }

    private String encoding() {
        return ENCODING.matcher(script)
                .results()
                .findFirst()
                .map(each -> ScriptEdit.replace(each.group(), "encoding='utf-8'"))
                .orElse("open the file with encoding='utf-8'");
    }

    /** Where the text is opened: in the line that failed, or else the first place in the script. */
    private Optional<String> opening() {
        return List.of(Traceback.lastLine(stderr), script).stream()
                .flatMap(text -> OPENING.matcher(text).results())
                .map(MatchResult::group)
                .findFirst();
    }

    private static String with(String call, String argument) {
        return ENCODING.matcher(call).find()
                ? ENCODING.matcher(call).replaceFirst(argument)
                : call.substring(0, call.length() - 1) + ", " + argument + ")";
    }
}
