package dev.pysandbox.hints;

import dev.pysandbox.api.Config;
import dev.pysandbox.api.ExecutionRequest;
import dev.pysandbox.api.InputFile;
import dev.pysandbox.api.ProducedFile;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Hints for errors caused by the environment of a script: packages, files, limits. Reads the end of the traceback. */
final class ErrorHints {
    private static final int MOST_NAMES = 20;
    private static final int MOST_COMPARED = 100;
    private static final Pattern WRITES =
            Pattern.compile("['\"][wax]b?\\+?['\"]|\\.(?:to_\\w++|savefig|save|write_\\w++|dump|mkdir|touch)\\(");
    private static final Pattern PIP_CALL = Pattern.compile(
            "[ \\t]*+((?:subprocess\\.\\w++|os\\.system)\\().*?\\bpip['\" ,]++install['\" ,]++([A-Za-z][\\w.-]*+).*+");
    private static final String NO_FILES = "no files";
    private static final HintRules<ErrorHints> RULES = rules();

    private final Config config;
    private final ExecutionRequest request;
    private final ScriptText script;
    private final String stderr;
    private final List<ProducedFile> made;

    ErrorHints(Config config, ExecutionRequest request, String stderr, List<ProducedFile> made) {
        this.config = config;
        this.request = request;
        this.script = new ScriptText(request.script());
        this.stderr = stderr;
        this.made = made;
    }

    Optional<String> hint() {
        return RULES.hint(this, stderr);
    }

    private static HintRules<ErrorHints> rules() {
        HintRules<ErrorHints> rules = new HintRules<>();
        addPackageRules(rules);
        addSurroundingsRules(rules);
        return rules;
    }

    private static void addPackageRules(HintRules<ErrorHints> rules) {
        rules.add(
                        "No module named '_?tkinter'|no display name and no \\$DISPLAY|Cannot load backend '\\w++'",
                        "there is no screen, and none is needed: plt.show() gives images; "
                                + ScriptEdit.leaveOut("matplotlib.use("))
                .add(
                        "libGL\\.so[.\\d]*+: cannot open shared object|libgthread-[\\w.-]++: cannot open",
                        ErrorHints::headless)
                .add(
                        "\\.so[.\\d]*+: cannot open shared object",
                        "a system library is not in the sandbox and can't be installed; choose a package that does not"
                                + " need it")
                .add("Missing optional dependency '([\\w.-]++)'", (hints, match) -> hints.add(match.group(1)))
                .add(
                        "(?:pip|conda)(?: to)? install(?: the)? [`'\"]?([A-Za-z][\\w.-]*+)",
                        (hints, match) -> hints.add(match.group(1)))
                .add(
                        "tree builder with the features you requested: (\\w++)",
                        (hints, match) -> hints.add(match.group(1)))
                .add("tried using:\\s*+'(\\w++)'", (hints, match) -> hints.add(match.group(1)))
                .add("No time zone found with key", hints -> hints.add("tzdata"));
    }

    private static void addSurroundingsRules(HintRules<ErrorHints> rules) {
        rules.add(
                        "FileNotFoundError: .{0,40}?No such file or directory: '([^'\\n]*+)'",
                        (hints, match) -> Optional.of(hints.missing(match.group(1))))
                .add(
                        "(?:Permission denied|Read-only file system): '([^'\\n]*+)'",
                        (hints, match) -> Optional.of(hints.notWritable(match.group(1))))
                .add("No module named pip\\s", ErrorHints::installsByItself)
                .add(
                        "No space left on device",
                        hints -> Optional.of("the folders that a script can write to hold "
                                + hints.config.limits().tmpSize() + " each: write less (--tmp-size raises the limit)"))
                .add(
                        "\\[Errno 38] Function not implemented|Function not implemented \\(os error 38\\)",
                        ErrorHints::polling)
                .add(
                        "can't start new thread|BlockingIOError: \\[Errno 11]",
                        hints -> Optional.of(
                                "a script may have " + hints.config.limits().maxProcesses()
                                        + " processes and threads: use fewer (--max-processes raises the limit)"));
    }

    /** Proposes only a package that the lists have or the script imports, because stderr may contain any name. */
    private Optional<String> add(String module) {
        Optional<String> provider = KnownNames.provider(module)
                .or(() -> script.imports(module) ? Optional.of(Distributions.providing(module)) : Optional.empty());
        if (provider.isEmpty()) {
            return Optional.of("an optional package is missing: its name is in stderr; add it to"
                    + " the dependencies, if you know it");
        }
        DependencyList list = new DependencyList(request.dependencies());
        return list.names(provider.get())
                ? Optional.empty()
                : Optional.of("an optional package is missing; call again with " + list.plus(provider.get()));
    }

    private Optional<String> headless() {
        DependencyList list = new DependencyList(request.dependencies());
        return Stream.of("opencv-python", "opencv-contrib-python")
                .filter(list::names)
                .map(name -> "there is no screen; call again with " + list.replacing(name, name + "-headless"))
                .findFirst();
    }

    private String missing(String name) {
        if (stderr.contains("subprocess.py\", line") && !name.contains("/")) {
            return "the program" + (script.has(name) && ScriptText.isPlain(name) ? " " + name : "")
                    + " is not in the sandbox and can't be installed; use a Python package instead";
        }
        return corrected(name).orElseGet(() -> passed(name));
    }

    /**
     * Proposes the name that the file has in the sandbox, or to create the missing folder. The name is in the script.
     */
    private Optional<String> corrected(String name) {
        if (!script.has(name)) {
            return Optional.empty();
        }
        Optional<String> meant = present()
                .filter(each -> each.equals(lastPart(name)))
                .findFirst()
                .or(() -> present()
                        .limit(MOST_COMPARED)
                        .filter(each ->
                                each.equalsIgnoreCase(lastPart(name)) || KnownNames.isNear(each, lastPart(name), 1))
                        .findFirst());
        if (meant.isPresent()) {
            return Optional.of("there is no " + ScriptEdit.quoted(name) + ", but there is "
                    + ScriptEdit.quoted(meant.get()) + ": " + ScriptEdit.replace(name, meant.get()));
        }
        if (!WRITES.matcher(Traceback.lastLine(stderr)).find() || !name.contains("/")) {
            return Optional.empty();
        }
        if (name.startsWith("/")) {
            return inWorkingFolder(name).map(edit -> "its folder does not exist: " + edit);
        }
        return ScriptText.isPlain(name)
                ? Optional.of("its folder does not exist: "
                        + ScriptEdit.putFirst("import os; os.makedirs('" + name.substring(0, name.lastIndexOf('/'))
                                + "', exist_ok=True)"))
                : Optional.empty();
    }

    private String notWritable(String name) {
        return "only the working folder, the home folder and /tmp can be written to"
                + inWorkingFolder(name).map(edit -> ": " + edit).orElse("");
    }

    private Optional<String> inWorkingFolder(String name) {
        return script.has(name) && ScriptText.isPlain(lastPart(name))
                ? Optional.of(ScriptEdit.replace(name, lastPart(name)))
                : Optional.empty();
    }

    /**
     * Asks for a file only by a relative name that the script contains: an error message with a path of the host must
     * not make an agent send that file.
     */
    private String passed(String name) {
        String data =
                config.shared().mounts().stream().map(Config.DataFolder::target).collect(Collectors.joining(", "));
        String present = present().distinct().limit(MOST_NAMES).collect(Collectors.joining(", "));
        String holds = "the working folder holds " + (present.isEmpty() ? NO_FILES : present)
                + (data.isEmpty() ? "" : ", data is in " + data);
        return script.has(name) && ScriptText.isPlain(name)
                ? "there is no " + name + "; " + holds + ". Pass its content as files={\"" + lastPart(name)
                        + "\": \"...\"} and open \"" + lastPart(name) + "\""
                : "the file does not exist in the sandbox; " + holds
                        + ". A script opens what is passed in files={...} by its relative name";
    }

    private Stream<String> present() {
        return Stream.concat(
                        request.files().stream().map(InputFile::name),
                        made.stream().map(ProducedFile::name).filter(script::has))
                .filter(ScriptText::isPlain);
    }

    /** For libraries that let the kernel report changes of files, which could also report those of other programs. */
    private Optional<String> polling() {
        String old = "from watchdog.observers import Observer";
        if (stderr.contains("watchfiles")) {
            return Optional.of("the sandbox does not report changes of files: "
                    + ScriptEdit.putFirst("import os; os.environ['WATCHFILES_FORCE_POLLING'] = '1'"));
        }
        return stderr.contains("inotify")
                ? Optional.of("the sandbox does not report changes of files (inotify); "
                        + (script.has(old)
                                ? ScriptEdit.replace(
                                        old, "from watchdog.observers.polling import PollingObserver as Observer")
                                : "look for them in intervals, with os.stat or watchdog's PollingObserver"))
                : Optional.empty();
    }

    /** For a script that calls pip: proposes to remove the call and to name the packages as dependencies. */
    private Optional<String> installsByItself() {
        return script.lines()
                .map(PIP_CALL::matcher)
                .filter(line -> line.matches())
                .reduce((first, second) -> second)
                .map(call -> ScriptEdit.leaveOut(call.group(1)) + " and call again with "
                        + new DependencyList(request.dependencies()).plus(call.group(2)));
    }

    private static String lastPart(String path) {
        return path.substring(path.lastIndexOf('/') + 1);
    }
}
