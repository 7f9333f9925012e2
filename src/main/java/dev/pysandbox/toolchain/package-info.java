/** Finds or downloads uv and Python. */
package dev.pysandbox.toolchain;
