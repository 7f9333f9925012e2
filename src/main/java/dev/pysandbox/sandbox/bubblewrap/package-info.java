/** The backend {@code native}: bubblewrap on Linux. */
@NullMarked
package dev.pysandbox.sandbox.bubblewrap;

import org.jspecify.annotations.NullMarked;
