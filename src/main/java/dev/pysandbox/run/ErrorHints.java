package dev.pysandbox.run;

import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What helps where a script and its surroundings do not fit: packages, files, limits; told from the traceback's end. */
final class ErrorHints {
    private static final int MOST_NAMES = 20;
    private static final Pattern WRITES =
            Pattern.compile("['\"][wax]b?\\+?['\"]|\\.(?:to_\\w+|savefig|save|write_\\w+|dump|mkdir|touch)\\(");
    private static final Pattern PIP_CALL = Pattern.compile(
            "(?m)^[ \\t]*((?:subprocess\\.\\w+|os\\.system)\\().*pip['\" ,]+install['\" ,]+([A-Za-z][\\w.-]*)");

    private final Config config;
    private final ExecutionRequest request;
    private final String stderr;
    private final List<ProducedFile> made;

    private final HintRules rules = new HintRules();

    ErrorHints(Config config, ExecutionRequest request, String stderr, List<ProducedFile> made) {
        this.config = config;
        this.request = request;
        this.stderr = stderr;
        this.made = made;
        addPackageRules();
        addSurroundingsRules();
    }

    Optional<String> hint() {
        return rules.hint(stderr);
    }

    private void addPackageRules() {
        rules.add(
                "No module named '_?tkinter'|no display name and no \\$DISPLAY|Cannot load backend '\\w+'",
                "there is no screen, and none is needed: plt.show() gives images; "
                        + ScriptEdit.leaveOut("matplotlib.use("));
        rules.add("libGL\\.so[.\\d]*: cannot open shared object|libgthread-[\\w.-]+: cannot open", match -> headless());
        rules.add(
                "(lib[\\w.+-]+\\.so[.\\d]*): cannot open shared object",
                match -> Optional.of("the system library " + match.group(1)
                        + " is not in the sandbox and can't be installed; choose a package that does not need it"));
        rules.add("Missing optional dependency '([\\w.-]+)'", match -> add(match.group(1)));
        rules.add("(?:pip|conda)(?: to)? install(?: the)? [`'\"]?([A-Za-z][\\w.-]*)", match -> add(match.group(1)));
        rules.add("tree builder with the features you requested: (\\w+)", match -> add(match.group(1)));
        rules.add("tried using:\\s*'(\\w+)'", match -> add(match.group(1)));
        rules.add("No time zone found with key", match -> add("tzdata"));
    }

    private void addSurroundingsRules() {
        rules.add(
                "FileNotFoundError: .*No such file or directory: '([^']*)'",
                match -> Optional.of(missing(match.group(1))));
        rules.add(
                "(?:Permission denied|Read-only file system): '([^']*)'",
                match -> Optional.of("only the working folder, the home folder and /tmp can be written to: "
                        + ScriptEdit.replace(match.group(1), lastPart(match.group(1)))));
        rules.add("No module named pip\\s", match -> installsByItself());
        rules.add(
                "No space left on device",
                "the folders that a script can write to hold " + config.tmpSize()
                        + " each: write less (--tmp-size raises the limit)");
        rules.add(
                "can't start new thread|BlockingIOError: \\[Errno 11]",
                "a script may have " + config.maxProcesses()
                        + " processes and threads: use fewer (--max-processes raises the limit)");
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

    private String missing(String name) {
        if (stderr.contains("subprocess.py\", line") && !name.contains("/")) {
            return "the program " + name
                    + " is not in the sandbox and can't be installed; use a Python package instead";
        }
        return mended(name).orElseGet(() -> passed(name));
    }

    /** The same file under the name that it has here, or the folder that is missing. */
    private Optional<String> mended(String name) {
        Optional<String> meant = present()
                .filter(each -> each.equals(lastPart(name)))
                .findFirst()
                .or(() -> present()
                        .filter(each ->
                                each.equalsIgnoreCase(lastPart(name)) || KnownNames.distance(each, lastPart(name)) == 1)
                        .findFirst());
        if (meant.isPresent()) {
            return Optional.of("there is no " + name + ", but there is " + meant.get() + ": "
                    + ScriptEdit.replace(name, meant.get()));
        }
        if (!WRITES.matcher(Traceback.lastLine(stderr)).find() || !name.contains("/")) {
            return Optional.empty();
        }
        return Optional.of("the folder of " + name + " does not exist: "
                + (name.startsWith("/")
                        ? ScriptEdit.replace(name, lastPart(name))
                        : ScriptEdit.putFirst("import os; os.makedirs('" + name.substring(0, name.lastIndexOf('/'))
                                + "', exist_ok=True)")));
    }

    private String passed(String name) {
        String present = present().distinct().limit(MOST_NAMES).collect(Collectors.joining(", "));
        String data = config.mounts().stream().map(Config.DataFolder::target).collect(Collectors.joining(", "));
        return "there is no " + name + "; the working folder holds "
                + (present.isEmpty() ? "no files" : present) + (data.isEmpty() ? "" : ", data is in " + data)
                + ". Pass its content as files={\"" + lastPart(name) + "\": \"...\"} and open \"" + lastPart(name)
                + "\"";
    }

    private Stream<String> present() {
        return Stream.concat(
                request.files().stream().map(InputFile::name), made.stream().map(ProducedFile::name));
    }

    /** A script that calls pip: its packages are dependencies, and the call goes. */
    private Optional<String> installsByItself() {
        return PIP_CALL.matcher(request.script())
                .results()
                .reduce((first, second) -> second)
                .map(call -> ScriptEdit.leaveOut(call.group(1)) + " and call again with "
                        + new DependencyList(request.dependencies()).plus(call.group(2)));
    }

    private static String lastPart(String path) {
        return path.substring(path.lastIndexOf('/') + 1);
    }
}
