package dev.pysandbox.mcp.tools;

import dev.pysandbox.api.EnvironmentReport;
import dev.pysandbox.api.PythonSandbox;
import dev.pysandbox.mcp.render.VisibleText;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import java.util.ArrayList;
import java.util.LinkedHashMap;
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
        EnvironmentReport report = sandbox.get().check(caller::progress);
        return CallToolResult.builder()
                .addTextContent(text(report))
                .structuredContent(json(report))
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

    static Map<String, Object> json(EnvironmentReport report) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("python_version", report.pythonVersion());
        json.put("uv", report.uv());
        json.put("platform", report.platform());
        json.put("sandbox", report.sandbox());
        json.put("sandbox_status", report.sandboxStatus());
        json.put("default_timeout_seconds", report.defaultTimeout().toSeconds());
        json.put("max_timeout_seconds", report.maxTimeout().toSeconds());
        json.put("max_output_bytes", report.maxOutputBytes());
        json.put("cache_warming", report.cacheWarming());
        json.put("probes", visible(report.probes()));
        json.put("remedies", visible(report.remedies()));
        return json;
    }

    private static List<String> visible(List<String> lines) {
        return lines.stream().map(VisibleText::of).toList();
    }
}
