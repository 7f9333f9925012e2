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

/** Downloads in advance what scripts often need. */
@Command(
        name = "warm",
        description = {
            "Downloads uv, a Python and common packages in advance.",
            "A server does the same in the background, unless started with --no-warm-cache."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:everything is downloaded", "1:a download failed", "2:wrong options"})
final class WarmCommand implements Callable<Integer> {
    @Option(names = "--json", description = "Print the result as JSON.")
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
