/** Installs packages into environments, and keeps those within bounds. */
@NullMarked
package dev.pysandbox.environment;

import org.jspecify.annotations.NullMarked;
