package dev.pysandbox.sandbox.docker;

import java.util.Optional;

/**
 * The user's settings of the docker backend.
 *
 * @param image the image's name; by default an image that is built for the version of Python
 * @param runtime the container runtime, such as {@code runsc}; by default that of the engine
 */
public record DockerSettings(Optional<String> image, Optional<String> runtime, String pythonVersion) {
    /** Returns major and minor version: {@code 3.13} for 3.13.2. */
    String pythonSeries() {
        return pythonVersion.replaceFirst("^(\\d+\\.\\d+).*", "$1");
    }
}
