/** Terminal output: colours, progress, live output. */
@NullMarked
package dev.pysandbox.cli.terminal;

import org.jspecify.annotations.NullMarked;
