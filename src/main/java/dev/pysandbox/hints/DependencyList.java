package dev.pysandbox.hints;

import dev.pysandbox.script.InvalidScriptException;
import dev.pysandbox.script.Requirement;
import java.util.ArrayList;
import java.util.List;

/** A {@code dependencies} argument to propose, in the form in which an agent can send it. */
record DependencyList(List<String> requirements) {
    DependencyList {
        requirements = List.copyOf(requirements);
    }

    /** Returns the list with one more requirement, unless it already has that project. */
    DependencyList plus(String requirement) {
        return names(name(requirement)) ? this : replaced("", requirement);
    }

    /** Returns the list with one requirement instead of all those on a project. */
    DependencyList replacing(String project, String requirement) {
        return replaced(project, requirement);
    }

    /** Returns the list without a project. */
    DependencyList without(String project) {
        return new DependencyList(requirements.stream()
                .filter(each -> !name(each).equals(project))
                .toList());
    }

    boolean names(String project) {
        return requirements.stream().anyMatch(each -> name(each).equals(project));
    }

    private DependencyList replaced(String project, String requirement) {
        List<String> changed = new ArrayList<>();
        for (String each : requirements) {
            if (!name(each).equals(project)) {
                changed.add(each);
            } else if (!changed.contains(requirement)) {
                changed.add(requirement);
            }
        }
        if (!changed.contains(requirement)) {
            changed.add(requirement);
        }
        return new DependencyList(changed);
    }

    static String name(String requirement) {
        try {
            return Requirement.parse(requirement).normalizedName();
        } catch (InvalidScriptException e) {
            return requirement;
        }
    }

    @Override
    public String toString() {
        return "dependencies=" + ScriptEdit.quoted(requirements);
    }
}
