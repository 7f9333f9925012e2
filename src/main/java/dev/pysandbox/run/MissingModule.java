package dev.pysandbox.run;

import dev.pysandbox.script.ScriptRequirements;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What to add, or to spell otherwise, when a script imports a module that is not there. */
record MissingModule(ExecutionRequest request, ScriptRequirements requirements, String stderr) {
    private static final Pattern NOT_FOUND = Pattern.compile("ModuleNotFoundError: No module named '([\\w.]+)'");

    /** At the margin: what stands below a try may well be missing. */
    private static final Pattern IMPORT =
            Pattern.compile("(?m)^(?:from +([\\w.]+) +import +(\\w+)|import +([\\w., ]+))");

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
                .map(module -> misspelt(module).orElseGet(() -> missing(module)));
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

    private String missing(String module) {
        String distribution = Distributions.providing(module);
        // The newer ones have no pkg_resources any more.
        String wanted = top(module).equals("pkg_resources") ? "setuptools<81" : distribution;
        return isDeclared(distribution) && wanted.equals(distribution)
                ? "module " + module + " is not part of " + distribution + "; check the import"
                : "module " + module + " is not installed; call again with "
                        + withOtherImports(new DependencyList(request.dependencies()).replacing(distribution, wanted));
    }

    /** The next one would be missing, too: what is known to provide the others is added at once. */
    private DependencyList withOtherImports(DependencyList list) {
        DependencyList complete = list;
        for (String module : imports()) {
            Optional<String> provider = Distributions.find(module).or(() -> KnownNames.distribution(top(module)));
            if (provider.isPresent() && !KnownNames.isStandard(top(module)) && !isDeclared(provider.get())) {
                complete = complete.plus(provider.get());
            }
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
                .filter(name -> !isGiven(top(name)))
                .distinct()
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
