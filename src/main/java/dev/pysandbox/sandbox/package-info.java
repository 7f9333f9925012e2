/** The interface of the backends that isolate jobs, and the choice of a backend. */
package dev.pysandbox.sandbox;
