/** What backends that run processes on this machine share, and the backend that isolates nothing. */
@NullMarked
package dev.pysandbox.sandbox.local;

import org.jspecify.annotations.NullMarked;
