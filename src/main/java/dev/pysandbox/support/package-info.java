/** Files, processes, threads and sizes: knows nothing of Python. */
@NullMarked
package dev.pysandbox.support;

import org.jspecify.annotations.NullMarked;
