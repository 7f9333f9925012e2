package dev.pysandbox.mcp.tools;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.pysandbox.api.EnvironmentReport;
import dev.pysandbox.api.ExecutionResult;
import dev.pysandbox.api.ValidationReport;
import dev.pysandbox.mcp.render.FileViews;
import dev.pysandbox.mcp.render.ResultJson;
import dev.pysandbox.mcp.render.ResultText;
import dev.pysandbox.mcp.render.VisibleText;
import java.util.List;
import java.util.Map;

/** Results and reports as text and JSON, for the command line. */
public final class ReportText {
    private ReportText() {}

    public static String of(ValidationReport report) {
        return ValidateScriptTool.text(report);
    }

    public static String of(EnvironmentReport report) {
        return CheckEnvironmentTool.text(report);
    }

    /** Returns the JSON of {@code structuredContent}. */
    public static String json(ExecutionResult result) {
        return json(ResultJson.of(result, FileViews.withoutImages(result.files())));
    }

    /** Returns the JSON of {@code structuredContent}. */
    public static String json(ValidationReport report) {
        return json(ValidateScriptTool.json(report));
    }

    /** Returns the JSON of {@code structuredContent}. */
    public static String json(EnvironmentReport report) {
        return json(CheckEnvironmentTool.json(report));
    }

    /** Returns a message as one line that is safe to show, because it may contain names from a script. */
    public static String line(String message) {
        return VisibleText.line(message);
    }

    /** Returns a line for each requested variable, such as {@code x = 42}. */
    public static List<String> variables(ExecutionResult result) {
        return ResultText.lines(result.variables());
    }

    public static String json(Map<String, Object> members) {
        try {
            return new ObjectMapper().writerWithDefaultPrettyPrinter().writeValueAsString(members);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }
}
