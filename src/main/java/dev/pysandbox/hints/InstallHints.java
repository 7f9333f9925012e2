package dev.pysandbox.hints;

import dev.pysandbox.api.ExecutionRequest;
import dev.pysandbox.environment.install.InstallException;
import dev.pysandbox.environment.install.NearestVersions;
import dev.pysandbox.script.InvalidScriptException;
import dev.pysandbox.script.Version;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Proposes other dependencies if the installation failed, from the message of the installer.
 *
 * <p>That message contains output of package builds, which is untrusted. So a hint repeats a project only if the caller
 * or the script names it, and a version only if it is valid.
 */
public record InstallHints(ExecutionRequest request, String reason, Optional<NearestVersions> nearest) {
    private static final String NAME = "([A-Za-z0-9][A-Za-z0-9._-]{0,99}+)";
    private static final Pattern UNKNOWN_NAME =
            Pattern.compile("(?<![A-Za-z0-9._-])" + NAME + " was not found in the package registry");
    private static final Pattern NO_VERSION =
            Pattern.compile("there (?:is|are) no versions? of " + NAME + "(?:\\[[^]]{0,200}+])?[=<>!~]");
    private static final Pattern ONLY =
            Pattern.compile("[Bb]ecause only " + NAME + "(<=|==)(\\S{1,100}+) is available");
    private static final Pattern BUILD =
            Pattern.compile("(?:Failed to (?:download and )?build|[Bb]ecause) [`']?" + NAME + "==");
    private static final Pattern TWICE = Pattern.compile("[Bb]ecause you require " + NAME + "[^\\s,]*+ and " + NAME);
    private static final Pattern CONFLICT =
            Pattern.compile("[Aa]nd because you require " + NAME + "(?:\\[[^]]{0,200}+])?[=<>!~]");

    private static final Pattern DEPENDS =
            Pattern.compile("[Bb]ecause \\S{1,200} depends on " + NAME + "(?:\\[[^]]{0,200}+])?[=<>!~]");
    private static final Pattern LIMIT = Pattern.compile("took longer than|wrote more than|more memory than|is full");
    private static final List<String> USE_TORCH = List.of(
            "torch",
            "torchvision",
            "torchaudio",
            "accelerate",
            "easyocr",
            "fastai",
            "lightning",
            "openai-whisper",
            "pytorch-lightning",
            "sentence-transformers",
            "timm",
            "ultralytics");

    private static final Pattern WRITTEN = Pattern.compile("#[^\"'\\n]*+[\"']([^\"'\\n]++)[\"'].*+");
    private static final int MOST_LINES = 1000;

    private static final int LONGEST_REASON = 6000;

    public InstallHints {
        reason = reason.substring(0, Math.min(LONGEST_REASON, reason.length()));
    }

    public InstallHints(ExecutionRequest request, InstallException failure) {
        this(request, String.valueOf(failure.getMessage()), failure.nearest());
    }

    public Optional<String> hint() {
        return unknownName()
                .or(this::replacement)
                .or(this::noVersion)
                .or(this::conflict)
                .or(this::build)
                .or(this::graphicsPackages)
                .filter(hint -> !new DependencyList(request.dependencies()).isAllThatChanges(hint));
    }

    private Optional<String> unknownName() {
        Optional<String> name = first(UNKNOWN_NAME).map(match -> match.group(1));
        if (name.isPresent() && KnownNames.isStandard(name.get())) {
            return asksFor(name.get())
                    ? Optional.of(name.get() + " comes with Python; call again with "
                            + new DependencyList(request.dependencies()).withoutStandard())
                    : Optional.empty();
        }
        return name.flatMap(wrong -> replacement(wrong)
                .or(() -> KnownNames.nearest(wrong)
                        .flatMap(known -> instead(wrong, known).map(edit -> "did you mean " + known + "? " + edit))));
    }

    /** For a package that can't be built: proposes the one that has the same modules. */
    private Optional<String> replacement() {
        return failedToBuild()
                .flatMap(this::replacement)
                .or(() -> nearest.map(NearestVersions::project).flatMap(this::replacement));
    }

    private Optional<String> replacement(String wrong) {
        String name = DependencyList.name(wrong);
        return NameTable.REPLACEMENTS
                .find(name)
                .or(() -> Distributions.meantBy(name))
                .flatMap(entry -> {
                    String[] parts = entry.split("\\|", 2);
                    return instead(name, parts[0])
                            .map(edit -> "use " + parts[0] + " instead of " + name + ": "
                                    + (parts.length > 1 ? ScriptEdit.putFirst(parts[1]) + " and " : "") + edit);
                });
    }

    private Optional<String> noVersion() {
        return nearest.filter(found -> !found.versions().isEmpty())
                .flatMap(found -> version(found.project(), found.versions().get(0)))
                .or(() -> first(ONLY).flatMap(match -> version(match.group(1), match.group(3))))
                .or(() -> first(NO_VERSION).flatMap(match -> instead(match.group(1), match.group(1))));
    }

    /** Proposes to leave out the version of one of the projects: of what another one depends on, if it is requested. */
    private Optional<String> conflict() {
        return first(TWICE)
                .filter(match -> match.group(1).equals(match.group(2)))
                .map(match -> match.group(1))
                .or(() -> DEPENDS.matcher(reason)
                        .results()
                        .map(match -> match.group(1))
                        .filter(name -> instead(name, name).isPresent())
                        .findFirst())
                .or(() -> first(CONFLICT).map(match -> match.group(1)))
                .flatMap(name -> instead(name, name)
                        .map(edit -> "let the resolver choose the version of " + name + ": " + edit));
    }

    private Optional<String> build() {
        return failedToBuild()
                .flatMap(name -> instead(name, name)
                        .map(edit -> "that version of " + name
                                + " has no ready-made package for this Python; take the newest: " + edit)
                        .or(() -> Optional.of(name)
                                .filter(this::asksFor)
                                .map(asked -> asked + " has no ready-made package for this Python and building it"
                                        + " failed: use another package for the same purpose")));
    }

    private Optional<String> failedToBuild() {
        return reason.contains("uild") || reason.contains("no usable wheels")
                ? first(BUILD).map(match -> match.group(1))
                : Optional.empty();
    }

    /** The packages with code for graphics processors, on which torch depends, may exceed the limits. */
    private Optional<String> graphicsPackages() {
        return LIMIT.matcher(reason).find() && USE_TORCH.stream().anyMatch(this::asksFor)
                ? Optional.of("torch from this index needs gigabytes of CUDA packages, which can't be used here: leave"
                        + " out torch, or ask for a server that is started with UV_INDEX set to"
                        + " PyTorch's index for CPUs")
                : Optional.empty();
    }

    private Optional<String> version(String project, String version) {
        try {
            return instead(project, project + "==" + Version.parse(version));
        } catch (InvalidScriptException e) {
            return Optional.empty();
        }
    }

    /** Proposes a replacement for a requested project; empty if the project was not requested or nothing changes. */
    private Optional<String> instead(String project, String requirement) {
        DependencyList list = new DependencyList(request.dependencies());
        String name = DependencyList.name(project);
        return list.names(name)
                ? Optional.of(list.replacing(name, requirement))
                        .filter(changed -> !changed.equals(list))
                        .map(changed -> "call again with " + changed)
                : written(name)
                        .map(old -> Map.entry(old, DependencyList.withExtras(old, requirement)))
                        .filter(edit -> !edit.getKey().equals(edit.getValue()))
                        .map(edit -> ScriptEdit.replace(edit.getKey(), edit.getValue()));
    }

    private boolean asksFor(String project) {
        String name = DependencyList.name(project);
        return new DependencyList(request.dependencies()).names(name)
                || written(name).isPresent();
    }

    /** Returns the requirement on a project as the script's metadata has it. */
    private Optional<String> written(String project) {
        return new ScriptText(request.script())
                .lines()
                .limit(MOST_LINES)
                .map(WRITTEN::matcher)
                .filter(line -> line.matches())
                .map(line -> line.group(1))
                .filter(each -> DependencyList.name(each).equals(project))
                .findFirst();
    }

    private Optional<Matcher> first(Pattern pattern) {
        return Optional.of(pattern.matcher(reason)).filter(Matcher::find);
    }
}
