/** Shared parts of the backends that run processes on this machine, and the backend that isolates nothing. */
@NullMarked
package dev.pysandbox.sandbox.local;

import org.jspecify.annotations.NullMarked;
