/** The filter of system calls. */
@NullMarked
package dev.pysandbox.sandbox.seccomp;

import org.jspecify.annotations.NullMarked;
