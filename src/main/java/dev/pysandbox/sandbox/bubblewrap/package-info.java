/** Sandboxes by bubblewrap on Linux. */
@NullMarked
package dev.pysandbox.sandbox.bubblewrap;

import org.jspecify.annotations.NullMarked;
