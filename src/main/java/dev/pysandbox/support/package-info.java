/** Files, processes, threads and sizes; independent of Python. */
package dev.pysandbox.support;
