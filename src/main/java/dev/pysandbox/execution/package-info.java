/** Takes a script from its text to its result. */
@NullMarked
package dev.pysandbox.execution;

import org.jspecify.annotations.NullMarked;
