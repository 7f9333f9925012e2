/** Installs packages with uv inside a sandbox, and limits what an installation writes. */
@NullMarked
package dev.pysandbox.environment.install;

import org.jspecify.annotations.NullMarked;
