package dev.pysandbox.mcp.tools;

import dev.pysandbox.api.PythonSandbox;
import dev.pysandbox.api.ValidationReport;
import dev.pysandbox.mcp.render.VisibleText;
import dev.pysandbox.mcp.tools.Arguments.Argument;
import dev.pysandbox.mcp.tools.Arguments.ValueType;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** The tool that checks whether a script could run. */
final class ValidateScriptTool implements SandboxTool {
    private final Supplier<PythonSandbox> sandbox;
    private final ToolResource resource = new ToolResource(
            ToolText.VALIDATE,
            Argument.required("script", ValueType.TEXT),
            Argument.optional("dependencies", ValueType.TEXTS));

    ValidateScriptTool(Supplier<PythonSandbox> sandbox) {
        this.sandbox = sandbox;
    }

    @Override
    public Tool definition() {
        return resource.tool(List.of());
    }

    @Override
    public CallToolResult call(Map<String, Object> given, CallContext caller) {
        Arguments arguments = resource.arguments(given);
        ValidationReport report =
                sandbox.get().validate(arguments.text("script"), arguments.texts("dependencies"), caller::progress);
        return CallToolResult.builder()
                .addTextContent(text(report))
                .structuredContent(json(report))
                .isError(false)
                .build();
    }

    static String text(ValidationReport report) {
        List<String> lines = new ArrayList<>();
        lines.add(report.problem().map(problem -> "INVALID: " + problem).orElse("VALID"));
        // The metadata of an invalid script may be incomplete: shows only what was found.
        if (report.valid() || report.requiresPython().isPresent()) {
            lines.add("requires-python: " + report.requiresPython().orElse("not stated"));
        }
        if (!report.dependencies().isEmpty()) {
            lines.add("dependencies (" + report.dependencies().size() + "):");
            report.dependencies().forEach(spec -> lines.add("  - " + spec));
        } else if (report.valid()) {
            lines.add("dependencies: none");
        }
        if (!report.warnings().isEmpty()) {
            lines.add("warnings:");
            report.warnings().forEach(warning -> lines.add("  - " + VisibleText.line(warning)));
        }
        return VisibleText.of(String.join("\n", lines));
    }

    static Map<String, Object> json(ValidationReport report) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("valid", report.valid());
        report.problem().ifPresent(problem -> json.put("problem", VisibleText.of(problem)));
        report.requiresPython().ifPresent(version -> json.put("requires_python", version));
        json.put("dependencies", report.dependencies());
        if (!report.warnings().isEmpty()) {
            json.put("warnings", report.warnings().stream().map(VisibleText::of).toList());
        }
        return json;
    }
}
