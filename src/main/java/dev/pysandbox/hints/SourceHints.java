package dev.pysandbox.hints;

import dev.pysandbox.api.ExecutionRequest;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Hints for errors in the text of a script: syntax, names, encodings. Reads the end of the traceback. */
final class SourceHints {
    private static final int MOST_LINES = 5;
    private static final int MOST_PACKAGES = 20;
    private static final Map<String, String> ALIASES =
            Map.of("np", "numpy", "pd", "pandas", "plt", "matplotlib.pyplot", "sns", "seaborn", "pl", "polars");
    private static final Map<String, String> TYPOGRAPHY =
            Map.of("\u201c", "\"", "\u201d", "\"", "\u2018", "'", "\u2019", "'", "\u00a0", " ", "\u2013", "-");
    private static final Pattern CARET = Pattern.compile("script\\.py\", line (\\d{1,7})\\n {4}.*+\\n {4}( *+)[~^]");
    private static final Pattern OPENING =
            Pattern.compile("(?:open|read_csv|read_table|read_text)\\((?![^()]{0,200}['\"][rwax]?b)[^()]{0,200}+\\)");
    private static final Pattern ENCODING = Pattern.compile("encoding\\s*+=\\s*+['\"][\\w-]++['\"]");
    private static final Pattern PIP_LINE = Pattern.compile("[ \\t]*+[!%][ \\t]*+(?:uv )?pip3? install (.++)");
    private static final HintRules<SourceHints> RULES = rules();

    private final ExecutionRequest request;
    private final ScriptText script;
    private final String stderr;

    SourceHints(ExecutionRequest request, String stderr) {
        this.request = request;
        this.script = new ScriptText(request.script());
        this.stderr = stderr;
    }

    Optional<String> hint() {
        return RULES.hint(this, stderr);
    }

    private static HintRules<SourceHints> rules() {
        return new HintRules<SourceHints>()
                .add(
                        "\\n(?:SyntaxError|IndentationError|TabError): (.++)",
                        (hints, match) -> hints.syntax(match.group(1)))
                .add("NameError: name '(\\w++)' is not defined", (hints, match) -> hints.alias(match.group(1)))
                .add("Did you forget to import '(\\w++)'\\?", (hints, match) -> hints.standardModule(match.group(1)))
                .add(
                        "cannot import name '\\w++' from 'collections'",
                        hints -> hints.replace("from collections import", "from collections.abc import"))
                .add(
                        "module 'collections' has no attribute '(\\w++)'",
                        (hints, match) -> hints.replace(
                                        "collections." + match.group(1), "collections.abc." + match.group(1))
                                .map(edit -> edit + " and " + ScriptEdit.putFirst("import collections.abc")))
                .add(
                        "`np\\.(\\w++)` was (?:a deprecated alias|removed in the NumPy 2\\.0 release)",
                        (hints, match) -> NumpyNames.instead(match.group(1))
                                .flatMap(name -> hints.replace("np." + match.group(1), name)))
                .add(
                        "no attribute '(\\w++)'\\. Did you mean: '(\\w++)'\\?",
                        (hints, match) -> hints.respell(".", match.group(1), match.group(2)))
                .add(
                        "(?:name|named|argument) '(\\w++)'.{0,200}? Did you mean:? '([\\w.]++)'\\?",
                        (hints, match) -> hints.respell("", match.group(1), match.group(2)))
                .add("EOFError: EOF when reading a line", "stdin is empty: replace input() by a value in the script")
                .add("UnicodeDecodeError: .*+", (hints, match) -> hints.decoding(match.group()))
                .add("UnicodeEncodeError: ", SourceHints::encoding)
                .add(
                        "asyncio\\.run\\(\\) cannot be called from a running event loop",
                        "inside a coroutine, await the other one instead of calling asyncio.run()")
                .add("finished its\\s++bootstrapping phase", "start processes only below: if __name__ == \"__main__\":")
                .add(
                        "RecursionError: maximum recursion depth exceeded",
                        "if the recursion has an end, "
                                + ScriptEdit.putFirst("import sys; sys.setrecursionlimit(20000)"));
    }

    /** Proposes a replacement only of text that the script contains. */
    private Optional<String> replace(String old, String replacement) {
        return script.has(old) ? Optional.of(ScriptEdit.replace(old, replacement)) : Optional.empty();
    }

    /** Repeats a proposal of Python only if both names are similar; otherwise the message is not Python's. */
    private Optional<String> respell(String before, String name, String meant) {
        boolean alike = meant.equals("self." + name)
                || KnownNames.isNear(name, meant, Math.max(2, Math.max(name.length(), meant.length()) / 2));
        return alike && script.hasWord(name) ? replace(before + name, before + meant) : Optional.empty();
    }

    private Optional<String> alias(String name) {
        return Optional.ofNullable(ALIASES.get(name))
                .filter(module -> script.hasWord(name))
                .map(module -> ScriptEdit.putFirst("import " + module + " as " + name) + " and call again with "
                        + new DependencyList(request.dependencies()).plus(module.split("\\.", 2)[0]));
    }

    private Optional<String> standardModule(String name) {
        return KnownNames.isStandard(name) && script.hasWord(name)
                ? Optional.of(ScriptEdit.putFirst("import " + name))
                : Optional.empty();
    }

    private Optional<String> syntax(String message) {
        if (script.text().stripLeading().startsWith("```")) {
            return Optional.of("send the script without the Markdown around it: " + ScriptEdit.leaveOut("```"));
        }
        Optional<String> notebook = notebook();
        if (notebook.isPresent()) {
            return notebook;
        }
        if (message.startsWith("invalid character") || message.startsWith("invalid non-printable")) {
            Map<String, String> found = new LinkedHashMap<>();
            TYPOGRAPHY.keySet().stream()
                    .sorted()
                    .filter(script.text()::contains)
                    .forEach(each -> found.put(each, TYPOGRAPHY.get(each)));
            if (!found.isEmpty()) {
                return Optional.of(ScriptEdit.replaceAll(found));
            }
        }
        if (message.startsWith("Missing parentheses in call to 'print'")) {
            return oldPrints();
        }
        if (message.startsWith("'await' outside")) {
            return Optional.of("put the code into async def main(): and call asyncio.run(main())");
        }
        String said = SyntaxMessages.isOne(message, script) ? message : "the syntax is wrong here; stderr says how";
        return place().map(place -> place + ": " + said);
    }

    private Optional<String> oldPrints() {
        Map<String, String> found = new LinkedHashMap<>();
        script.lines()
                .map(String::strip)
                .filter(script::has)
                .filter(line -> line.startsWith("print ")
                        && "(=".indexOf(line.substring(6).stripLeading().charAt(0)) < 0)
                .limit(MOST_LINES)
                .forEach(line -> found.put(line, "print(" + line.substring(6).stripLeading() + ")"));
        return found.isEmpty() ? Optional.empty() : Optional.of("this is Python 2: " + ScriptEdit.replaceAll(found));
    }

    /** Finds lines that only notebooks understand. */
    private Optional<String> notebook() {
        Optional<String> sign = Stream.of("!", "%")
                .filter(each -> script.text()
                        .lines()
                        .anyMatch(line -> line.stripLeading().startsWith(each)))
                .findFirst();
        return sign.map(each -> {
            List<String> packages = installedPackages();
            DependencyList list = new DependencyList(request.dependencies());
            for (String word : packages) {
                list = list.plus(word);
            }
            return "this is for notebooks: " + ScriptEdit.leaveOut(each)
                    + (packages.isEmpty() ? "" : " and call again with " + list);
        });
    }

    private List<String> installedPackages() {
        return script.lines()
                .map(PIP_LINE::matcher)
                .filter(line -> line.matches())
                .flatMap(line -> Stream.of(line.group(1).strip().split("\\s+")))
                .filter(word -> !word.startsWith("-"))
                .map(word -> word.replace("'", "").replace("\"", ""))
                .filter(RequirementHints::isRequirement)
                .limit(MOST_PACKAGES)
                .toList();
    }

    private Optional<String> place() {
        return CARET.matcher(stderr)
                .results()
                .reduce((first, second) -> second)
                .map(place -> "line " + place.group(1) + ", column "
                        + column(
                                Integer.parseInt(place.group(1)), place.group(2).length()));
    }

    /** Adds the indentation, which the traceback does not show, to a column. */
    private int column(int line, int shown) {
        String source = script.line(line).orElse("");
        return shown + 1 + source.length() - source.stripLeading().length();
    }

    private Optional<String> decoding(String error) {
        boolean wide = error.contains("byte 0xff in position 0") || error.contains("byte 0xfe in position 0");
        String wanted = "encoding='" + (wide ? "utf-16" : "latin-1") + "'";
        return Optional.of("the text is not UTF-8; "
                + opening()
                        .map(call -> ScriptEdit.replace(call, with(call, wanted)))
                        .orElse("read it with " + wanted));
    }

    private Optional<String> encoding() {
        return Optional.of(ENCODING.matcher(script.text())
                .results()
                .map(MatchResult::group)
                .filter(script::has)
                .findFirst()
                .map(each -> ScriptEdit.replace(each, "encoding='utf-8'"))
                .orElse("open the file with encoding='utf-8'"));
    }

    /** Returns where a file is opened: in the line that failed, else the first place in the script. */
    private Optional<String> opening() {
        return Stream.of(Traceback.lastLine(stderr), script.text())
                .flatMap(text -> OPENING.matcher(text).results())
                .map(MatchResult::group)
                .filter(script::has)
                .findFirst();
    }

    private static String with(String call, String argument) {
        return ENCODING.matcher(call).find()
                ? ENCODING.matcher(call).replaceFirst(argument)
                : call.substring(0, call.length() - 1) + ", " + argument + ")";
    }
}
