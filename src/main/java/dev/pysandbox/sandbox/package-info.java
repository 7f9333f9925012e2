/** The walls: ways to run a process that can't harm the host. */
@NullMarked
package dev.pysandbox.sandbox;

import org.jspecify.annotations.NullMarked;
