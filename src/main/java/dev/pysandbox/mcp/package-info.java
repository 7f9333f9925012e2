/** The MCP server on stdio: transport, the three tools, the wording of their results. */
@NullMarked
package dev.pysandbox.mcp;

import org.jspecify.annotations.NullMarked;
