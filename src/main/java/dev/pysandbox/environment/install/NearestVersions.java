package dev.pysandbox.environment.install;

import java.util.List;
import java.util.Optional;

/**
 * The existing versions of a project that are nearest to one that can't be installed.
 *
 * @param versions the most similar first; empty only if {@code wheels} says more
 * @param wheels which Python the version needs, if it exists but has no wheel for the Python of the environment
 */
public record NearestVersions(String project, List<String> versions, Optional<Wheels> wheels) {
    public NearestVersions {
        versions = List.copyOf(versions);
    }

    public NearestVersions(String project, List<String> versions) {
        this(project, versions, Optional.empty());
    }

    /**
     * The wheels of a version.
     *
     * @param python the Python that they are not for
     * @param newest the newest Python that they are for, as far as known
     */
    public record Wheels(String version, String python, Optional<String> newest) {}

    @Override
    public String toString() {
        String nearest = versions.isEmpty() ? "" : "The versions of " + project + " nearest to it: ";
        String said = wheels.map(missing -> project + " " + missing.version() + " has no wheel for Python "
                        + missing.python()
                        + missing.newest()
                                .map(python -> "; the newest Python that it has one for is " + python)
                                .orElse("")
                        + "." + (versions.isEmpty() ? "" : " The nearest version that has one: "))
                .orElse(nearest);
        return versions.isEmpty() ? said : said + String.join(", ", versions) + ".";
    }
}
