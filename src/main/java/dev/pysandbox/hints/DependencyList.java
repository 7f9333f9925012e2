package dev.pysandbox.hints;

import dev.pysandbox.script.InvalidScriptException;
import dev.pysandbox.script.Requirement;
import java.util.ArrayList;
import java.util.List;

/** The {@code dependencies} argument of a call and what it should be instead, ready to be pasted. */
record DependencyList(List<String> requirements) {
    DependencyList {
        requirements = List.copyOf(requirements);
    }

    /** With one more, unless that project is there already. */
    DependencyList plus(String requirement) {
        return names(name(requirement)) ? this : replaced("", requirement);
    }

    /** With one requirement in place of all those on a project. */
    DependencyList replacing(String project, String requirement) {
        return replaced(project, requirement);
    }

    /** With none on a project. */
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
