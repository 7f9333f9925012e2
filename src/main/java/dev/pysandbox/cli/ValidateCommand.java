package dev.pysandbox.cli;

import dev.pysandbox.api.PythonSandbox;
import dev.pysandbox.api.ValidationReport;
import dev.pysandbox.cli.terminal.Colours;
import dev.pysandbox.cli.terminal.Terminal;
import dev.pysandbox.mcp.tools.ReportText;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Checks one script without running it. */
@Command(
        name = "validate",
        description = "Checks a script's metadata, syntax and imports without running it.",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:the script is valid", "1:it is not", "2:wrong options"})
final class ValidateCommand implements Callable<Integer> {
    @Mixin
    private ScriptArgument script = new ScriptArgument();

    @Option(names = "--json", description = "Print the report as JSON.")
    private boolean json;

    private final CommandContext invocation;

    ValidateCommand(CommandContext invocation) {
        this.invocation = invocation;
    }

    @Override
    public Integer call() throws IOException {
        Terminal console = invocation.console();
        String source = script.read(console.in());
        PythonSandbox sandbox = invocation.open(invocation.options().builder().config(), CommandContext.STOPPED);
        ValidationReport report = sandbox.validate(source, script.dependencies());
        console.out()
                .println(json ? ReportText.json(report) : Colours.of(console).verdict(ReportText.of(report)));
        return report.valid() ? 0 : 1;
    }
}
