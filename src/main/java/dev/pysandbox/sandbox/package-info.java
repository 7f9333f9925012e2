/** The interface of the backends that isolate jobs, and the choice of a backend. */
@NullMarked
package dev.pysandbox.sandbox;

import org.jspecify.annotations.NullMarked;
