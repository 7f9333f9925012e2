/** Executes scripts: checks, installation, sandbox, result. */
package dev.pysandbox.execution;
