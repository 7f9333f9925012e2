/** The three tools. */
package dev.pysandbox.mcp.tools;
