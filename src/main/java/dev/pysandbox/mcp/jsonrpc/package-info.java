/** JSON-RPC messages. */
package dev.pysandbox.mcp.jsonrpc;
