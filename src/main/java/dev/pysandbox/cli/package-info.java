/** The command line: {@link dev.pysandbox.cli.Main} and the picocli commands. */
@NullMarked
package dev.pysandbox.cli;

import org.jspecify.annotations.NullMarked;
