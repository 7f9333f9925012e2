/** The seccomp filter that limits the system calls of sandboxed processes. */
package dev.pysandbox.sandbox.seccomp;
