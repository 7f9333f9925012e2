/** The MCP server, independent of a transport: sessions, pending requests, the SDK's dispatcher. */
@NullMarked
package dev.pysandbox.mcp;

import org.jspecify.annotations.NullMarked;
