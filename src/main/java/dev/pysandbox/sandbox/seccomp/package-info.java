/** The seccomp filter that limits the system calls of sandboxed processes. */
@NullMarked
package dev.pysandbox.sandbox.seccomp;

import org.jspecify.annotations.NullMarked;
