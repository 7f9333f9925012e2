package dev.pysandbox.environment.install;

import java.util.List;

/**
 * The existing versions of a project that are nearest to a missing one.
 *
 * @param versions at least one, the most similar first
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
