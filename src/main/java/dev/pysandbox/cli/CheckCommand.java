package dev.pysandbox.cli;

import dev.pysandbox.api.EnvironmentReport;
import dev.pysandbox.api.PythonSandbox;
import dev.pysandbox.cli.terminal.Colours;
import dev.pysandbox.cli.terminal.Terminal;
import dev.pysandbox.mcp.tools.ReportText;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Reports whether everything works on this machine. */
@Command(
        name = "check",
        description = "Tests whether everything works on this machine, also from inside the sandbox.",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:everything works", "1:something must be fixed", "2:wrong options"})
final class CheckCommand implements Callable<Integer> {
    @Option(names = "--json", description = "Print the report as JSON.")
    private boolean json;

    private final CommandContext invocation;

    CheckCommand(CommandContext invocation) {
        this.invocation = invocation;
    }

    @Override
    public Integer call() throws IOException {
        Terminal console = invocation.console();
        PythonSandbox sandbox = invocation.open(invocation.options().builder().config(), CommandContext.STOPPED);
        EnvironmentReport report = sandbox.check();
        Colours colours = Colours.of(console);
        console.out()
                .println(json ? ReportText.json(report) : colours.labels(ReportText.of(report), report.remedies()));
        return report.remedies().isEmpty() ? 0 : 1;
    }
}
