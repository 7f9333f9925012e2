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

    /** Returns the list without modules of the standard library. */
    DependencyList withoutStandard() {
        return new DependencyList(requirements.stream()
                .filter(each -> !KnownNames.isStandard(name(each)))
                .toList());
    }

    boolean names(String project) {
        return requirements.stream().anyMatch(each -> name(each).equals(project));
    }

    private DependencyList replaced(String project, String requirement) {
        List<String> changed = new ArrayList<>();
        for (String each : requirements) {
            String next = name(each).equals(project) ? withExtras(each, requirement) : each;
            if (next.equals(each) || !changed.contains(next)) {
                changed.add(next);
            }
        }
        if (requirements.stream().noneMatch(each -> name(each).equals(project)) && !changed.contains(requirement)) {
            changed.add(requirement);
        }
        return new DependencyList(changed);
    }

    /** Returns another requirement on the same project with the extras of the old one. */
    static String withExtras(String old, String requirement) {
        int start = old.indexOf('[');
        int end = old.indexOf(']');
        if (start < 0 || end < start || requirement.contains("[") || !name(old).equals(name(requirement))) {
            return requirement;
        }
        int at = 0;
        while (at < requirement.length() && "=<>!~; ".indexOf(requirement.charAt(at)) < 0) {
            at++;
        }
        return requirement.substring(0, at) + old.substring(start, end + 1) + requirement.substring(at);
    }

    static String name(String requirement) {
        try {
            return Requirement.parse(requirement).normalizedName();
        } catch (InvalidScriptException e) {
            return requirement;
        }
    }

    /** Returns whether a hint proposes this list and no other change: following it would repeat the call. */
    boolean isAllThatChanges(String hint) {
        return hint.contains("call again with " + this) && !ScriptEdit.isIn(hint);
    }

    @Override
    public String toString() {
        return "dependencies=" + ScriptEdit.quoted(requirements);
    }
}
