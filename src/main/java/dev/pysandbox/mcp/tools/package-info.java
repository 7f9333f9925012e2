/** The three tools. */
@NullMarked
package dev.pysandbox.mcp.tools;

import org.jspecify.annotations.NullMarked;
