/** Help screens, completion for fish, and the version. */
package dev.pysandbox.cli.help;
