/** Collects the output and the files of a task. */
@NullMarked
package dev.pysandbox.execution.output;

import org.jspecify.annotations.NullMarked;
