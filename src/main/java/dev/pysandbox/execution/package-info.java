/** Executes scripts: checks, installation, sandbox, result. */
@NullMarked
package dev.pysandbox.execution;

import org.jspecify.annotations.NullMarked;
