package dev.pysandbox.mcp.tools;

import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import java.util.Map;

/** A tool that the server offers. */
public interface SandboxTool {
    Tool definition();

    /**
     * Runs on the calling thread; an interrupt cancels the call.
     *
     * @throws ToolException if an argument is wrong or the sandbox can't be opened
     */
    CallToolResult call(Map<String, Object> arguments, CallContext caller);
}
