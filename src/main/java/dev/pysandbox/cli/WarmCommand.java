package dev.pysandbox.cli;

import dev.pysandbox.api.PythonSandbox;
import dev.pysandbox.cli.terminal.ProgressBar;
import dev.pysandbox.cli.terminal.Terminal;
import dev.pysandbox.mcp.tools.ReportText;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Downloads beforehand what scripts often need. */
@Command(
        name = "warm",
        description = {
            "Downloads uv, a Python and common packages, so that scripts need not wait for them.",
            "A server does the same in the background, unless it has --no-warm-cache."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:all is there", "1:something could not be had", "2:a mistake in the options"})
final class WarmCommand implements Callable<Integer> {
    @Option(names = "--json", description = "Print the outcome as JSON.")
    private boolean json;

    private final CommandContext invocation;

    WarmCommand(CommandContext invocation) {
        this.invocation = invocation;
    }

    @Override
    public Integer call() throws IOException {
        Terminal console = invocation.console();
        PythonSandbox sandbox = invocation.open(invocation.options().builder().config(), CommandContext.STOPPED);
        ProgressBar bar = new ProgressBar(console.err(), console.errIsTerminal());
        long start = System.nanoTime();
        Optional<String> problem = sandbox.warm(bar::show);
        bar.end();
        if (invocation.cleanup().begun()) {
            return CommandContext.STOPPED;
        }
        boolean ready = problem.isEmpty();
        long seconds = (System.nanoTime() - start) / 1_000_000_000;
        if (json) {
            Map<String, Object> outcome = new LinkedHashMap<>();
            outcome.put("ready", ready);
            outcome.put("seconds", seconds);
            problem.ifPresent(message -> outcome.put("problem", message));
            console.out().println(ReportText.json(outcome));
        } else if (ready) {
            console.out().println("ready after " + seconds + " s");
        } else {
            console.err().println("python-sandbox: " + problem.get());
        }
        return ready ? 0 : 1;
    }
}
