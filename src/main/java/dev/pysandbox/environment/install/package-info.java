/** Installs packages with uv inside a sandbox, and limits what an installation writes. */
package dev.pysandbox.environment.install;
