package dev.pysandbox.hints;

import dev.pysandbox.api.ExecutionRequest;
import dev.pysandbox.api.InputFile;
import dev.pysandbox.script.ScriptRequirements;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Proposes a dependency or another spelling if a script imports a module that is not installed. */
record MissingModule(ExecutionRequest request, ScriptRequirements requirements, String stderr) {
    private static final Pattern NOT_FOUND = Pattern.compile("ModuleNotFoundError: No module named '([\\w.]++)'");
    private static final int MOST_IMPORTS = 1000;
    private static final int MOST_PACKAGES = 20;

    /** Imports without indentation only: those in a try block may be optional. */
    private static final Pattern IMPORT =
            Pattern.compile("(?m)^(?:from ++([\\w.]++) ++import ++(\\w++)|import ++([\\w., ]++))");

    Optional<String> hint() {
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
        boolean own = new ScriptText(request.script()).imports(top(module));
        if (!own && KnownNames.provider(module).isEmpty()) {
            return "a module that is not in the script is missing: its name is in stderr; add the package that provides"
                    + " it to the dependencies, if you know it";
        }
        return (own ? misspelt(module) : Optional.<String>empty()).orElseGet(() -> missing(module));
    }

    /** Python names the outermost package that is missing; several distributions share {@code google}. */
    private static Predicate<String> isBelow(String module) {
        return name -> name.startsWith(module + ".") && Distributions.find(name).isPresent();
    }

    private Optional<String> misspelt(String module) {
        DependencyList list = new DependencyList(request.dependencies());
        String top = top(module);
        return Distributions.find(module).isPresent()
                ? Optional.empty()
                : KnownNames.nearestModule(top)
                        .map(meant -> "there is no module " + top + "; if " + meant + " is meant, "
                                + ScriptEdit.replace(top, meant)
                                + (KnownNames.isStandard(meant) ? "" : " and call again with " + list.plus(meant)));
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
