package dev.pysandbox.mcp.tools;

import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import java.util.Map;

/** A tool that the server offers. */
public interface SandboxTool {
    Tool definition();

    /**
     * Works on the calling thread; an interrupt ends the work early.
     *
     * @throws BadArgumentException if the model can fix its arguments
     */
    CallToolResult call(Map<String, Object> arguments, CallContext caller);
}
