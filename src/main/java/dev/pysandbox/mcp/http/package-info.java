/** The HTTP transport: Streamable HTTP of all revisions, on the HTTP server of the JDK. */
package dev.pysandbox.mcp.http;
