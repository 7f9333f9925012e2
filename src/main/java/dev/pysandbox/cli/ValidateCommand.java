package dev.pysandbox.cli;

import dev.pysandbox.api.ValidationReport;
import dev.pysandbox.cli.terminal.Colours;
import dev.pysandbox.cli.terminal.HintWords;
import dev.pysandbox.cli.terminal.Terminal;
import dev.pysandbox.mcp.tools.ReportText;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Checks one script without running it. */
@Command(
        name = "validate",
        description = "Checks a script's metadata, syntax and imports without running it.",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:the script is valid", "1:it is not", "2:wrong options"})
final class ValidateCommand extends ResultCommand {
    @Mixin
    private ScriptArgument script = new ScriptArgument();

    ValidateCommand(CommandContext context) {
        super(context);
    }

    @Override
    public Integer call() throws IOException {
        Terminal terminal = context.terminal();
        String source = script.read(terminal.in());
        ValidationReport report = open().validate(source, script.dependencies());
        terminal.out()
                .println(
                        json
                                ? ReportText.json(report)
                                : Colours.of(terminal).verdict(HintWords.of(ReportText.of(report))));
        return report.valid() ? 0 : 1;
    }
}
