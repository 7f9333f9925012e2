/** Installs packages into environments, and limits the disk space of environments. */
@NullMarked
package dev.pysandbox.environment;

import org.jspecify.annotations.NullMarked;
