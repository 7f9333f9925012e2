package dev.pysandbox.mcp;

import dev.pysandbox.run.EnvironmentReport;
import dev.pysandbox.run.ValidationReport;

/** The tools' texts, for others who show them to people. */
public final class Wording {
    private Wording() {}

    public static String of(ValidationReport report) {
        return ValidateScriptTool.text(report);
    }

    public static String of(EnvironmentReport report) {
        return CheckEnvironmentTool.text(report);
    }
}
