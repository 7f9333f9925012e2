package dev.pysandbox.mcp.tools;

import dev.pysandbox.api.EnvironmentReport;
import dev.pysandbox.api.PythonSandbox;
import dev.pysandbox.mcp.render.VisibleText;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** The tool that reports whether the sandbox works, and its limits. */
final class CheckEnvironmentTool implements SandboxTool {
    private final Supplier<PythonSandbox> sandbox;
    private final ToolResource resource = new ToolResource(ToolText.CHECK);

    CheckEnvironmentTool(Supplier<PythonSandbox> sandbox) {
        this.sandbox = sandbox;
    }

    @Override
    public Tool definition() {
        return resource.tool(List.of());
    }

    @Override
    public CallToolResult call(Map<String, Object> given, CallContext caller) {
        resource.arguments(given);
        return CallToolResult.builder()
                .addTextContent(text(sandbox.get().check(caller::progress)))
                .isError(false)
                .build();
    }

    static String text(EnvironmentReport report) {
        List<String> lines = new ArrayList<>();
        lines.add("Python version: " + report.pythonVersion());
        lines.add("uv: " + report.uv());
        lines.add("Platform: " + report.platform());
        lines.add("Sandbox backend: " + report.sandbox());
        lines.add("Sandbox status: " + report.sandboxStatus());
        lines.add("Default timeout: " + report.defaultTimeout().toSeconds() + "s");
        lines.add("Max timeout: " + report.maxTimeout().toSeconds() + "s");
        lines.add("Max output: " + report.maxOutputBytes() + " bytes");
        lines.add("Cache warming: " + (report.cacheWarming() ? "enabled" : "disabled"));
        lines.addAll(report.probes());
        lines.addAll(report.remedies());
        return VisibleText.of(String.join("\n", lines));
    }
}
