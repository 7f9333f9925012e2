/** Terminal output: colours, progress, live output. */
package dev.pysandbox.cli.terminal;
