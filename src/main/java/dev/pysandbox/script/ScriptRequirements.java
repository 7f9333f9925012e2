package dev.pysandbox.script;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * All requirements of a script: those of its metadata, then those of the caller.
 *
 * @param requirements in order, without duplicates
 */
public record ScriptRequirements(
        Optional<VersionSpecifiers> requiresPython, List<Requirement> requirements, List<String> warnings) {
    private static final int MAX_DEPENDENCIES = 200;

    public ScriptRequirements {
        requirements = List.copyOf(requirements);
        warnings = List.copyOf(warnings);
    }

    /**
     * Merges the requirements of a script and of its caller, and checks the script's requires-python.
     *
     * @param pythonVersion such as 3.13, which stands for all its patch releases
     * @throws IllegalArgumentException if {@code pythonVersion} is not a version
     */
    public static ScriptRequirements merge(PythonScript script, List<String> extraDependencies, String pythonVersion)
            throws InvalidScriptException {
        Optional<VersionSpecifiers> requiresPython = script.metadata().flatMap(InlineMetadata::requiresPython);
        if (requiresPython.isPresent()) {
            checkPython(requiresPython.get(), pythonVersion);
        }
        List<Requirement> all = new ArrayList<>(
                script.metadata().map(InlineMetadata::dependencies).orElse(List.of()));
        checkCount(all.size() + extraDependencies.size());
        for (String dependency : extraDependencies) {
            all.add(Requirement.parse(dependency));
        }
        Map<String, Requirement> distinct = new LinkedHashMap<>();
        all.forEach(requirement -> distinct.putIfAbsent(requirement.toString(), requirement));
        return new ScriptRequirements(requiresPython, List.copyOf(distinct.values()), script.warnings());
    }

    static void checkCount(int count) throws InvalidScriptException {
        if (count > MAX_DEPENDENCIES) {
            throw new InvalidScriptException(
                    count + " dependencies are more than the " + MAX_DEPENDENCIES + " that are allowed: remove some");
        }
    }

    private static void checkPython(VersionSpecifiers required, String pythonVersion) throws InvalidScriptException {
        Version chosen;
        try {
            chosen = Version.parse(pythonVersion);
        } catch (InvalidScriptException e) {
            throw new IllegalArgumentException("not a Python version: " + pythonVersion, e);
        }
        if (!required.containsSomePatchOf(chosen)) {
            throw new InvalidScriptException("the script's requires-python "
                    + InvalidScriptException.quote(required.written()) + " does not allow Python " + pythonVersion
                    + ", which runs it: change requires-python or choose another Python version");
        }
    }

    /** Returns the canonical forms of the requirements, in order. */
    public List<String> dependencies() {
        return requirements.stream().map(Requirement::toString).toList();
    }

    /** Returns the canonical forms sorted, for the name of the environment. */
    public List<String> sortedDependencies() {
        return requirements.stream().map(Requirement::toString).sorted().toList();
    }
}
