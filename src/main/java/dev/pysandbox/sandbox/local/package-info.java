/** Shared parts of the backends that run processes on this machine, and the backend that isolates nothing. */
package dev.pysandbox.sandbox.local;
