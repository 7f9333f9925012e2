/** The MCP server, independent of a transport: sessions, pending requests, the SDK's dispatcher. */
package dev.pysandbox.mcp;
