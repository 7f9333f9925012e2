package dev.pysandbox.hints;

import dev.pysandbox.api.ExecutionRequest;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
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
    static final Pattern STARTS_ITSELF =
            Pattern.compile("finished its\\s++bootstrapping phase|RuntimeError: context has already been set");
    static final String MAIN_ONLY = "start processes only below: if __name__ == \"__main__\":";
    private static final String NO_ARGUMENTS = "a script has no command line arguments: set the values in the script";
    private static final String JSON_OF_NUMPY = "import json; json.JSONEncoder.default = lambda self, value:"
            + " value.tolist() if hasattr(value, 'tolist') else str(value)";
    private static final Map<String, String> FOREIGN_NAMES = Map.of(
            "true", "True",
            "false", "False",
            "null", "None",
            "undefined", "None",
            "display", "print",
            "unicode", "str",
            "basestring", "str",
            "long", "int",
            "unichr", "chr",
            "raw_input", "input");
    /** The names before an assignment, after {@code for}, and after other words that define names. */
    private static final Pattern DEFINITION = Pattern.compile("^([\\w,*: ]{1,200}+)=(?!=)|\\bfor ++([\\w, ()]{1,100}+)"
            + "|\\b(?:def|class|as|global|import) ++([\\w, ]{1,200}+)");

    private static final Pattern RELATIVE = Pattern.compile("from \\.{1,3}(\\w{0,100}+) import ");
    private static final Pattern APPEND = Pattern.compile("(\\w{1,100}+)\\.append\\(("
            + "\\{[^{}]{0,500}+}|\\[[^\\[\\]]{0,500}+]|\\w{1,100}+(?:\\([^()]{0,500}+\\))?+)(,[^()]{1,100}+)?+\\)");
    private static final Pattern INNER_RUN = Pattern.compile("asyncio\\.run\\((\\w{1,100}+\\([^()]{0,200}+\\))\\)");
    private static final Pattern PROMPT = Pattern.compile("(?m)^[ \\t]{0,40}+>>>(?: |$)");
    private static final Pattern INDENT = Pattern.compile("^( {1,40}+)\\S");
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
                .add("NameError: name '(\\w++)' is not defined", (hints, match) -> hints.name(match.group(1)))
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
                        "(?:module|type object) '([\\w.]++)' has no attribute '(\\w++)'",
                        (hints, match) -> hints.removed(match.group(1), match.group(2)))
                .add(
                        "'(\\w++)' object has no attribute '(\\w++)'",
                        (hints, match) -> hints.removed(match.group(1), match.group(2)))
                .add(
                        "cannot import name '(\\w++)' from '([\\w.]++)'",
                        (hints, match) -> hints.removedImport(match.group(2), match.group(1)))
                .add(
                        "module 'datetime' has no attribute '(now|today|utcnow|strptime|fromtimestamp)'",
                        (hints, match) ->
                                hints.replace("datetime." + match.group(1), "datetime.datetime." + match.group(1)))
                .add("attempted relative import", SourceHints::relativeImport)
                .add(
                        "no attribute '(\\w++)'\\. Did you mean: '(\\w++)'\\?",
                        (hints, match) -> hints.respell(".", match.group(1), match.group(2)))
                .add(
                        "(?:name|named|argument) '(\\w++)'.{0,200}? Did you mean:? '([\\w.]++)'\\?",
                        (hints, match) -> hints.respell("", match.group(1), match.group(2)))
                .add("NameError: name '(\\w++)' is not defined", (hints, match) -> hints.earlierCall(match.group(1)))
                .add("EOFError: EOF when reading a line", "stdin is empty: replace input() by a value in the script")
                .add("UnicodeDecodeError: .*+", (hints, match) -> hints.decoding(match.group()))
                .add("UnicodeEncodeError: ", SourceHints::encoding)
                .add(
                        "asyncio\\.run\\(\\) cannot be called from a running event loop",
                        hints -> Optional.of("inside a coroutine, await the other one instead of calling asyncio.run()"
                                + hints.innerRun().map(edit -> ": " + edit).orElse("")))
                .add(STARTS_ITSELF.pattern(), MAIN_ONLY)
                .add(
                        "is not JSON serializable",
                        hints -> hints.script.has("json.dump")
                                ? Optional.of(ScriptEdit.putFirst(JSON_OF_NUMPY))
                                : Optional.empty())
                .add(
                        "IndexError: list index out of range",
                        hints -> Traceback.lastLine(hints.stderr).contains("sys.argv")
                                ? Optional.of(NO_ARGUMENTS)
                                : Optional.empty())
                .add("script\\.py: error: (?:the following arguments are required|argument )", NO_ARGUMENTS)
                .add("KeyError: '(\\w++)'", (hints, match) -> hints.variable(match.group(1)))
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
        boolean prefixed = meant.endsWith(name) && meant.length() > name.length() + 1; // such as unsafe_load
        boolean proposed = meant.startsWith("self.") || !prefixed;
        return alike && proposed && script.hasWord(name) ? replace(before + name, before + meant) : Optional.empty();
    }

    /** Names that are never defined in a script: the usual short names of packages, and names of other languages. */
    private Optional<String> name(String name) {
        if (name.equals("get_ipython")) {
            return Optional.of("this is for notebooks: " + ScriptEdit.leaveOut("get_ipython()"));
        }
        return Optional.ofNullable(FOREIGN_NAMES.get(name))
                .flatMap(meant -> replace(name, meant))
                .or(() -> alias(name));
    }

    private Optional<String> earlierCall(String name) {
        return script.hasWord(name) && !defines(name)
                ? Optional.of("the script does not define " + name
                        + ", and nothing is kept between calls: send one script" + " that contains everything it needs")
                : Optional.empty();
    }

    private Optional<String> variable(String name) {
        return Traceback.lastLine(stderr).contains("os.environ") && script.hasWord(name)
                ? Optional.of("scripts see no variables of the host: set " + name
                        + " in the script, or ask for a server" + " that is started with --env " + name)
                : Optional.empty();
    }

    private boolean defines(String name) {
        return script.lines()
                .flatMap(line -> DEFINITION.matcher(line.strip()).results())
                .flatMap(match -> Stream.of(1, 2, 3).map(match::group).filter(Objects::nonNull))
                .anyMatch(names -> new ScriptText(names.split(" in ", 2)[0]).hasWord(name));
    }

    private Optional<String> removed(String place, String name) {
        if (place.equals("DataFrame") && name.equals("append")) {
            return append();
        }
        return NameTable.REMOVED.find(place + "." + name).flatMap(meant -> replace("." + name, "." + meant));
    }

    private Optional<String> removedImport(String module, String name) {
        return NameTable.REMOVED
                .find(module + "." + name)
                .filter(meant -> script.hasWord(name))
                .flatMap(meant -> replace(name, meant));
    }

    /** Proposes {@code pd.concat} for the call in the line that failed. */
    private Optional<String> append() {
        String say = "pandas 2 has no DataFrame.append: use pd.concat";
        return APPEND.matcher(Traceback.lastLine(stderr))
                .results()
                .filter(call -> script.has(call.group()))
                .map(call -> {
                    String rows = call.group(2).strip();
                    boolean isRow = rows.startsWith("{") || script.hasDictionary(rows);
                    String options = Optional.ofNullable(call.group(3)).orElse("");
                    String frame = rows.startsWith("[") ? "*" + rows : isRow ? "pd.DataFrame([" + rows + "])" : rows;
                    return say + ": "
                            + ScriptEdit.replace(
                                    call.group(), "pd.concat([" + call.group(1) + ", " + frame + "]" + options + ")");
                })
                .findFirst()
                .or(() -> Optional.of(say + "([df, pd.DataFrame([row])])"));
    }

    /** A script is one file, and the files that come with it are beside it. */
    private Optional<String> relativeImport() {
        return RELATIVE.matcher(Traceback.lastLine(stderr))
                .results()
                .filter(line -> script.has(line.group()))
                .map(line -> "a script is not part of a package; files that are passed to it are modules: "
                        + ScriptEdit.replace(
                                line.group(),
                                line.group(1).isEmpty() ? "import " : "from " + line.group(1) + " import "))
                .findFirst();
    }

    private Optional<String> innerRun() {
        return INNER_RUN
                .matcher(Traceback.lastLine(stderr))
                .results()
                .filter(call -> script.has(call.group()))
                .map(call -> ScriptEdit.replace(call.group(), "await " + call.group(1)))
                .findFirst();
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
        return notPython(message).or(() -> {
            String said = SyntaxMessages.isOne(message, script) ? message : "the syntax is wrong here; stderr says how";
            return place().map(place -> place + ": " + said);
        });
    }

    /** Returns what to change if the text is not a Python 3 script, but contains one. */
    Optional<String> notPython(String message) {
        if (script.text().stripLeading().startsWith("```")) {
            return Optional.of("send the script without the Markdown around it: " + ScriptEdit.leaveOut("```"));
        }
        if (PROMPT.matcher(script.text()).find()) {
            return Optional.of("this is the transcript of an interpreter: " + ScriptEdit.keepOnly(">>> ", "... "));
        }
        if (message.startsWith("inconsistent use of tabs")) {
            return Optional.of(ScriptEdit.replace("\t", " ".repeat(new Indentation(script.text()).tabWidth())));
        }
        Optional<String> indent = message.startsWith("unexpected indent") ? indent() : Optional.empty();
        if (indent.isPresent()) {
            return indent;
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
        return Optional.empty();
    }

    /** Proposes to remove the indentation that all lines have, or that of the first line. */
    private Optional<String> indent() {
        return script.text()
                .lines()
                .filter(line -> !line.isBlank())
                .findFirst()
                .map(INDENT::matcher)
                .filter(Matcher::find)
                .map(first -> {
                    String spaces = first.group(1);
                    boolean all = script.text().lines().allMatch(line -> line.isBlank() || line.startsWith(spaces));
                    String line = first.group()
                            + script.text()
                                    .stripLeading()
                                    .lines()
                                    .findFirst()
                                    .orElse("")
                                    .substring(1);
                    return all
                            ? "the whole script is indented: " + ScriptEdit.dedent(spaces.length())
                            : "the first line is indented: " + ScriptEdit.replace(line, line.strip());
                });
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
