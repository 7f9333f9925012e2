/** The protocol spoken with the first process inside each sandbox. */
@NullMarked
package dev.pysandbox.supervisor;

import org.jspecify.annotations.NullMarked;
