/** Collects the output and the files of a task. */
package dev.pysandbox.execution.output;
