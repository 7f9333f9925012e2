/** Finds or downloads uv and Python. */
@NullMarked
package dev.pysandbox.toolchain;

import org.jspecify.annotations.NullMarked;
