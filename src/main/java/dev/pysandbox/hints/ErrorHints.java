package dev.pysandbox.hints;

import dev.pysandbox.api.Config;
import dev.pysandbox.api.ExecutionRequest;
import dev.pysandbox.api.InputFile;
import dev.pysandbox.api.ProducedFile;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.MatchResult;
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
    private static final Pattern SHOWN_IMAGE =
            Pattern.compile("cv2\\.imshow\\(\\s{0,9}f?['\"]([^'\"\\n]{0,80}+)['\"]\\s{0,9},");
    private static final Pattern KEY = Pattern.compile("cv2\\.(?:waitKey|waitKeyEx)\\(\\w{0,20}+\\)");
    private static final Pattern WINDOWS =
            Pattern.compile("cv2\\.(?:destroyAllWindows\\(\\)|(?:namedWindow|destroyWindow)\\([^()\\n]{0,80}+\\))");
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
                        "No module named '_?tkinter'|_tkinter\\.TclError|no display name and no \\$DISPLAY"
                                + "|Cannot load backend '\\w++'|No available video device|KeyError: 'DISPLAY'"
                                + "|(?:DisplayConnectionError|DisplayNameError)",
                        hints -> Optional.of(hints.noDisplay()))
                .add(
                        "cv2\\.error: .{0,400}Rebuild the library with Windows, GTK",
                        hints -> Optional.of(hints.noWindow()))
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
                        (hints, match) -> Optional.of(hints.missing(hints.asWritten(match.group(1)))))
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
                .add(Hints.TOO_MANY_PROCESSES, hints -> Optional.of(Hints.tooManyProcesses(hints.config)));
    }

    /** Proposes only a package that the lists have or the script imports, because stderr may contain any name. */
    private Optional<String> add(String module) {
        Optional<String> provider = KnownNames.provider(module)
                .or(() -> Optional.of(module)
                        .filter(script::imports)
                        .filter(name -> !new UnlistedModule(name).isLocal())
                        .map(Distributions::providing));
        if (provider.isEmpty()) {
            return Optional.of("an optional package is missing: its name is in stderr; add it to"
                    + " the dependencies, if you know it");
        }
        DependencyList list = new DependencyList(request.dependencies());
        return list.names(provider.get())
                ? Optional.empty()
                : Optional.of("an optional package is missing; call again with " + list.plus(provider.get()));
    }

    private String noDisplay() {
        if (script.has("matplotlib.use(")) {
            return "there is no screen, and none is needed: plt.show() gives images; "
                    + ScriptEdit.leaveOut("matplotlib.use(");
        }
        if (script.imports("pygame")) {
            return "there is no screen: " + ScriptEdit.putFirst("import os; os.environ['SDL_VIDEODRIVER'] = 'dummy'")
                    + ", and save what is drawn with pygame.image.save()";
        }
        return "there is no screen, so no windows can be opened: "
                + (script.imports("turtle")
                        ? "draw with matplotlib or Pillow instead of turtle, and save an image"
                        : "compute without a user interface and print the result, or save an image with matplotlib or"
                                + " Pillow");
    }

    /** Replaces the windows of OpenCV by image files, which are returned. */
    private String noWindow() {
        Map<String, String> changes = new LinkedHashMap<>();
        Stream.of(SHOWN_IMAGE, KEY, WINDOWS)
                .flatMap(call ->
                        script.lines().flatMap(line -> call.matcher(line).results()))
                .filter(call -> script.has(call.group()))
                .limit(MOST_NAMES)
                .forEach(call -> changes.put(call.group(), withoutWindow(call)));
        return "there is no screen; images that are written to files are returned"
                + (changes.isEmpty()
                        ? ": use cv2.imwrite instead of cv2.imshow"
                        : ": " + ScriptEdit.replaceAll(changes));
    }

    private static String withoutWindow(MatchResult call) {
        if (call.groupCount() == 0) {
            return "-1";
        }
        String title = call.group(1).replaceAll("\\W++", "_");
        return "cv2.imwrite(\"" + (title.isEmpty() ? "image" : title) + ".png\",";
    }

    private Optional<String> headless() {
        DependencyList list = new DependencyList(request.dependencies());
        return Stream.of("opencv-python", "opencv-contrib-python")
                .filter(list::names)
                .map(name -> "there is no screen; call again with " + list.replacing(name, name + "-headless"))
                .findFirst();
    }

    /** Python doubles the backslashes of a path of Windows. */
    private String asWritten(String name) {
        String plain = name.replace("\\\\", "\\");
        return !script.has(name) && script.has(plain) ? plain : name;
    }

    private String missing(String name) {
        if (stderr.contains("subprocess.py\", line") && !name.contains("/")) {
            return "the program" + (script.has(name) && ScriptText.isPlain(name) ? " " + name : "")
                    + " is not in the sandbox and can't be installed; use a Python package instead";
        }
        return mounted(name).or(() -> inData(name)).or(() -> corrected(name)).orElseGet(() -> passed(name));
    }

    /** Proposes the path in the sandbox if the script uses the host's path of a mounted folder. */
    private Optional<String> mounted(String name) {
        return config.shared().mounts().stream()
                .filter(folder -> name.equals(folder.path().toString()) || name.startsWith(folder.path() + "/"))
                .filter(folder -> script.has(folder.path().toString()))
                .map(folder -> folder.path() + " of the host is " + folder.target() + " in the sandbox: "
                        + ScriptEdit.replace(folder.path().toString(), folder.target()))
                .findFirst();
    }

    /** Proposes the path below {@code /data} if a mounted folder has the file. */
    private Optional<String> inData(String name) {
        return script.has(name)
                ? config.shared().mounts().stream()
                        .flatMap(folder -> new MountedPath(folder, name).inSandbox().stream())
                        .findFirst()
                        .map(path -> "there is no " + ScriptEdit.quoted(name) + ", but there is "
                                + ScriptEdit.quoted(path) + ": " + ScriptEdit.replace(name, path))
                : Optional.empty();
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

    /** Returns the name of a file in its folder, also for a path of Windows. */
    private static String lastPart(String path) {
        return path.substring(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
    }
}
