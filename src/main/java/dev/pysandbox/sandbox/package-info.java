/** The interface between the server and the backends that isolate jobs, and the choice of one. */
@NullMarked
package dev.pysandbox.sandbox;

import org.jspecify.annotations.NullMarked;
