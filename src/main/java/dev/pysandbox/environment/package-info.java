/** Keeps environments by the set of their packages, creates missing ones, and limits their disk space. */
@NullMarked
package dev.pysandbox.environment;

import org.jspecify.annotations.NullMarked;
