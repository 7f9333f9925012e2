package dev.pysandbox.sandbox;

import java.nio.file.Path;
import java.util.Optional;

/**
 * The tools that a sandbox brings itself, where those of the host can't be used; all paths are inside.
 *
 * @param version all of it, such as {@code 3.13.5}
 * @param home the folder of the standard library, {@code sys.base_prefix}
 * @param uvVersion such as {@code uv 0.13.7}
 * @param wheels a folder with packages, if there is one
 * @param origin what tells one set of such tools from another: an image's id
 */
public record ImagePython(
        String version, Path executable, Path home, Path uv, String uvVersion, Optional<Path> wheels, String origin) {}
