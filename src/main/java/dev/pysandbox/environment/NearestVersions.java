package dev.pysandbox.environment;

import java.util.List;

/**
 * The versions of a project that exist next to one that does not.
 *
 * @param versions at least one, the one that is most like the missing one first
 */
public record NearestVersions(String project, List<String> versions) {
    public NearestVersions {
        versions = List.copyOf(versions);
    }

    @Override
    public String toString() {
        return "The versions of " + project + " nearest to it: " + String.join(", ", versions) + ".";
    }
}
