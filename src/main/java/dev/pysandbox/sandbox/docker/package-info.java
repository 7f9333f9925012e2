/** Sandboxes by docker or podman containers. */
@NullMarked
package dev.pysandbox.sandbox.docker;

import org.jspecify.annotations.NullMarked;
