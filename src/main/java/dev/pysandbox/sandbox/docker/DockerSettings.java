package dev.pysandbox.sandbox.docker;

import java.util.Optional;

/**
 * What a person can choose about the docker backend.
 *
 * @param image the image's name; by default one made for the version of Python
 * @param runtime the engine's runtime, such as {@code runsc}; by default the engine's own choice
 */
public record DockerSettings(Optional<String> image, Optional<String> runtime, String pythonVersion) {
    /** Such as {@code 3.13}, of 3.13 and of 3.13.2. */
    String pythonSeries() {
        return pythonVersion.replaceFirst("^(\\d+\\.\\d+).*", "$1");
    }
}
