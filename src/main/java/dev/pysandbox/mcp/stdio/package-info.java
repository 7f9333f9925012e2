/** The stdio transport. */
@NullMarked
package dev.pysandbox.mcp.stdio;

import org.jspecify.annotations.NullMarked;
