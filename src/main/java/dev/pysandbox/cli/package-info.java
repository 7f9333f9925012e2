/** The command line: {@link dev.pysandbox.cli.Main} and the picocli commands. */
package dev.pysandbox.cli;
