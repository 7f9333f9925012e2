package dev.pysandbox.sandbox;

import java.nio.file.Path;
import java.util.Optional;

/**
 * The Python and uv of a container image, used in place of the host's. All paths are paths inside the container.
 *
 * @param version the full version, such as {@code 3.13.5}
 * @param home the folder of the standard library, {@code sys.base_prefix}
 * @param uvVersion such as {@code uv 0.13.7}
 * @param wheels a folder of wheels, if the image has one
 * @param origin the image's id
 */
public record ImagePython(
        String version, Path executable, Path home, Path uv, String uvVersion, Optional<Path> wheels, String origin) {}
