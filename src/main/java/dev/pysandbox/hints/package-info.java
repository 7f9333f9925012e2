/** Hints on how to fix a script that failed. */
package dev.pysandbox.hints;
