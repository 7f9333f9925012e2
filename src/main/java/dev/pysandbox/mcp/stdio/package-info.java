/** The stdio transport. */
package dev.pysandbox.mcp.stdio;
