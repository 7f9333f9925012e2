package dev.pysandbox.cli;

import dev.pysandbox.api.EnvironmentReport;
import dev.pysandbox.cli.terminal.Colours;
import dev.pysandbox.cli.terminal.Terminal;
import dev.pysandbox.mcp.tools.ReportText;
import java.io.IOException;
import picocli.CommandLine.Command;

/** Reports whether everything works on this machine. */
@Command(
        name = "check",
        description = "Tests whether everything works on this machine, also from inside the sandbox.",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:everything works", "1:something must be fixed", "2:wrong options"})
final class CheckCommand extends ResultCommand {
    CheckCommand(CommandContext context) {
        super(context);
    }

    @Override
    public Integer call() throws IOException {
        Terminal terminal = context.terminal();
        EnvironmentReport report = open().check();
        Colours colours = Colours.of(terminal);
        terminal.out()
                .println(json ? ReportText.json(report) : colours.labels(ReportText.of(report), report.remedies()));
        return report.remedies().isEmpty() ? 0 : 1;
    }
}
