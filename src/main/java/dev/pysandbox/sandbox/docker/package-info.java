/** The backend {@code docker}: docker or podman containers. */
@NullMarked
package dev.pysandbox.sandbox.docker;

import org.jspecify.annotations.NullMarked;
