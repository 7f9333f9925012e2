package dev.pysandbox.hints;

import dev.pysandbox.api.ExecutionRequest;
import dev.pysandbox.api.InputFile;
import dev.pysandbox.script.ScriptRequirements;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Proposes a dependency or another spelling if a script imports a module that is not installed. */
record MissingModule(ExecutionRequest request, ScriptRequirements requirements, String stderr) {
    private static final Pattern NOT_FOUND = Pattern.compile("ModuleNotFoundError: No module named '([\\w.]++)'");
    private static final Pattern WRONG = Pattern.compile("AttributeError: module '(\\w{1,100}+)' has no"
            + " attribute|(?:ImportError|ModuleNotFoundError): (?:cannot import name '\\w{1,100}+' from|No module named)"
            + " '([\\w.]{1,100}+)'|script\\.py\", line \\d{1,7}, in <module>\\n"
            + " {4}(?:import|from) (\\w{1,100}+)");
    private static final int MOST_IMPORTS = 1000;
    private static final int MOST_PACKAGES = 20;

    /** Imports without indentation only: those in a try block may be optional. */
    private static final Pattern IMPORT =
            Pattern.compile("(?m)^(?:from ++([\\w.]++) ++import ++(\\w++)|import ++([\\w., ]++))");

    Optional<String> hint() {
        return wrongPackage().or(this::missingModule);
    }

    /**
     * For a package that has the name of the module, but is not the one that provides it: an import of the module, or
     * the use of its names, fails.
     */
    private Optional<String> wrongPackage() {
        DependencyList list = new DependencyList(request.dependencies());
        return WRONG.matcher(stderr)
                .results()
                .flatMap(match -> IntStream.rangeClosed(1, match.groupCount())
                        .mapToObj(match::group)
                        .flatMap(name -> Optional.ofNullable(name).stream()))
                .map(MissingModule::top)
                .filter(new ScriptText(request.script())::imports)
                .flatMap(module -> Distributions.find(module).stream()
                        .filter(meant -> !isDeclared(meant))
                        .flatMap(meant -> Stream.of(DependencyList.name(module))
                                .filter(list::names)
                                .map(wrong -> "the package " + wrong + " is not the one with the module " + module
                                        + "; call again with " + list.replacing(wrong, meant))))
                .findFirst();
    }

    private Optional<String> missingModule() {
        return NOT_FOUND
                .matcher(stderr)
                .results()
                .reduce((first, second) -> second)
                .map(match -> match.group(1))
                .filter(module -> !module.endsWith("tkinter"))
                .map(module -> Traceback.imported(stderr)
                        .filter(isBelow(module))
                        .findFirst()
                        .orElse(module))
                .map(this::hint);
    }

    /** Names a module only if the script imports it or the lists have it, because stderr may contain any name. */
    private String hint(String module) {
        Optional<String> renamed = NameTable.OLD_MODULES.find(top(module)).flatMap(name -> renamed(top(module), name));
        if (renamed.isPresent()) {
            return renamed.get();
        }
        Optional<String> pip = top(module).equals("pip")
                ? new PipMain(new ScriptText(request.script())).hint(new DependencyList(request.dependencies()))
                : Optional.empty();
        if (pip.isPresent()) {
            return pip.get();
        }
        boolean own = new ScriptText(request.script()).imports(top(module));
        if (!own && KnownNames.provider(module).isEmpty()) {
            return "a module that is not in the script is missing: its name is in stderr; add the package that provides"
                    + " it to the dependencies, if you know it";
        }
        if (KnownNames.provider(module).isPresent() || isDeclared(Distributions.providing(module))) {
            return missing(module);
        }
        return misspelt(module).orElseGet(() -> unlisted(module));
    }

    /** For a module of Python 2, in the two forms in which a script imports it. */
    private Optional<String> renamed(String old, String name) {
        return Stream.of("import " + old, "from " + old + " import")
                .filter(request.script()::contains)
                .map(each -> "this is Python 2: "
                        + ScriptEdit.replace(
                                each,
                                each.startsWith("from") ? "from " + name + " import" : "import " + name + " as " + old))
                .findFirst();
    }

    /** Python names the outermost package that is missing; several distributions share {@code google}. */
    private static Predicate<String> isBelow(String module) {
        return name -> name.startsWith(module + ".") && Distributions.find(name).isPresent();
    }

    private Optional<String> misspelt(String module) {
        DependencyList list = new DependencyList(request.dependencies());
        String top = top(module);
        return new UnlistedModule(top)
                .meant()
                .filter(meant -> !isGiven(top))
                .map(meant -> "there is no module " + top + "; if " + meant + " is meant, "
                        + ScriptEdit.replace(top, meant)
                        + (KnownNames.isStandard(meant) ? "" : " and call again with " + list.plus(meant)));
    }

    private String unlisted(String module) {
        String top = top(module);
        UnlistedModule unlisted = new UnlistedModule(top);
        String asFile = UnlistedModule.asFile(fileOf(module));
        if (unlisted.isLocal() || isGiven(top)) {
            return "there is no module " + top + ". " + asFile;
        }
        String doubt = "module " + top + " is not installed, and a package of this name may not be what is meant";
        return unlisted.isJoined()
                ? doubt + ". " + asFile
                : doubt + "; if it is, call again with "
                        + withOtherImports(
                                new DependencyList(request.dependencies()).plus(Distributions.providing(top)))
                        + ". " + asFile;
    }

    /** Returns the path of the module that the failed line imports: {@code a/b.py} for {@code from a.b import c}. */
    private String fileOf(String module) {
        ScriptText script = new ScriptText(request.script());
        return Traceback.imported(stderr)
                        .filter(name -> name.equals(module) || name.startsWith(module + "."))
                        .filter(script::has)
                        .reduce((first, second) -> second)
                        .orElse(top(module))
                        .replace('.', '/')
                + ".py";
    }

    private String missing(String name) {
        // Repeats only what the script contains; the rest of a dotted name is untrusted.
        String module = request.script().contains(name) ? name : top(name);
        String distribution = Distributions.providing(module);
        // Newer releases do not contain pkg_resources.
        String wanted = top(module).equals("pkg_resources") ? "setuptools<81" : distribution;
        return isDeclared(distribution) && wanted.equals(distribution)
                ? "module " + module + " is not part of " + distribution + "; check the import"
                : "module " + module + " is not installed; call again with "
                        + withOtherImports(new DependencyList(request.dependencies()).replacing(distribution, wanted));
    }

    /** Adds the known distributions of the other imports, which would be missing next. */
    private DependencyList withOtherImports(DependencyList list) {
        List<String> others = imports().stream()
                .filter(module -> !KnownNames.isStandard(top(module)))
                .flatMap(module -> KnownNames.provider(module).stream())
                .distinct()
                .filter(provider -> !isDeclared(provider))
                .limit(MOST_PACKAGES)
                .toList();
        DependencyList complete = list;
        for (String provider : others) {
            complete = complete.plus(provider);
        }
        return complete;
    }

    private List<String> imports() {
        return IMPORT.matcher(request.script())
                .results()
                .flatMap(match -> match.group(1) == null
                        ? Arrays.stream(match.group(3).split(",", -1))
                        : Stream.of(match.group(1) + "." + match.group(2)))
                .map(name -> name.strip().split(" ", 2)[0])
                .limit(MOST_IMPORTS)
                .distinct()
                .filter(name -> !isGiven(top(name)))
                .toList();
    }

    private boolean isGiven(String module) {
        return request.files().stream()
                .map(InputFile::name)
                .anyMatch(name -> name.equals(module + ".py") || name.startsWith(module + "/"));
    }

    private boolean isDeclared(String distribution) {
        return requirements.requirements().stream()
                .anyMatch(each -> each.normalizedName().equals(distribution));
    }

    private static String top(String module) {
        return module.split("\\.", 2)[0];
    }
}
