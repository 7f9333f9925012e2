/** Hints on how to fix a script that failed. */
@NullMarked
package dev.pysandbox.hints;

import org.jspecify.annotations.NullMarked;
