/** Keeps environments by the set of their packages, creates missing ones, and limits their disk space. */
package dev.pysandbox.environment;
