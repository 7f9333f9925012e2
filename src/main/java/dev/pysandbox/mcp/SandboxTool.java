package dev.pysandbox.mcp;

import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import java.util.Map;

/** A tool that the server offers. */
interface SandboxTool {
    Tool definition();

    /**
     * Works on the calling thread; an interrupt ends the work early.
     *
     * @throws BadArgumentException where the model can mend its arguments
     */
    CallToolResult call(Map<String, Object> arguments, Caller caller);
}
