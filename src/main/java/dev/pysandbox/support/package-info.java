/** Files, processes, threads and sizes; independent of Python. */
@NullMarked
package dev.pysandbox.support;

import org.jspecify.annotations.NullMarked;
