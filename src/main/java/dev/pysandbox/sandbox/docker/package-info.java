/** The backend {@code docker}: docker or podman containers. */
package dev.pysandbox.sandbox.docker;
