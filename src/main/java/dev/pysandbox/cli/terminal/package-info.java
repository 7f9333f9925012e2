/** What a person sees in a terminal: colours, progress, live output. */
@NullMarked
package dev.pysandbox.cli.terminal;

import org.jspecify.annotations.NullMarked;
