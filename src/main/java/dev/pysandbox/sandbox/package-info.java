/** The interface of a sandbox, what all sandboxes share, and the choice of one. */
@NullMarked
package dev.pysandbox.sandbox;

import org.jspecify.annotations.NullMarked;
