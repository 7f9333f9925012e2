package dev.pysandbox;

import dev.pysandbox.Main.Console;
import dev.pysandbox.mcp.Wording;
import dev.pysandbox.run.EnvironmentReport;
import dev.pysandbox.run.PythonSandbox;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Shows what this machine offers. */
@Command(
        name = "check",
        mixinStandardHelpOptions = true,
        usageHelpAutoWidth = true,
        sortOptions = false,
        description = "Shows what this machine offers, found by trying; ends with 1 if something needs mending.")
final class CheckCommand implements Callable<Integer> {
    @Mixin
    private SandboxOptions options = new SandboxOptions();

    private final Console console;
    private final Cleanup cleanup;

    CheckCommand(Console console, Cleanup cleanup) {
        this.console = console;
        this.cleanup = cleanup;
    }

    @Override
    public Integer call() throws IOException {
        PythonSandbox sandbox = PythonSandbox.open(options.config());
        cleanup.register(sandbox);
        EnvironmentReport report = sandbox.check();
        console.out().println(Wording.of(report).stripTrailing());
        return report.remedies().isEmpty() ? 0 : 1;
    }
}
