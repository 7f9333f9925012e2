/** JSON-RPC messages. */
@NullMarked
package dev.pysandbox.mcp.jsonrpc;

import org.jspecify.annotations.NullMarked;
