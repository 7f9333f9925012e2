package dev.pysandbox.cli;

import dev.pysandbox.api.PythonSandbox;
import dev.pysandbox.cli.terminal.ProgressBar;
import dev.pysandbox.cli.terminal.Terminal;
import dev.pysandbox.mcp.tools.ReportText;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;

/** Downloads in advance what scripts often need. */
@Command(
        name = "warm",
        description = {
            "Downloads uv, a Python and common packages in advance.",
            "A server does the same in the background, unless started with --no-warm-cache."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:everything is downloaded", "1:a download failed", "2:wrong options"})
final class WarmCommand extends ResultCommand {
    WarmCommand(CommandContext context) {
        super(context);
    }

    @Override
    public Integer call() throws IOException {
        Terminal terminal = context.terminal();
        PythonSandbox sandbox = open();
        ProgressBar bar = new ProgressBar(terminal.err(), terminal.errIsTerminal());
        long start = System.nanoTime();
        Optional<String> problem = sandbox.warm(bar::show);
        bar.end();
        if (context.shutdownHook().begun()) {
            return CommandContext.STOPPED;
        }
        boolean ready = problem.isEmpty();
        long seconds = (System.nanoTime() - start) / 1_000_000_000;
        if (json) {
            Map<String, Object> outcome = new LinkedHashMap<>();
            outcome.put("ready", ready);
            outcome.put("seconds", seconds);
            problem.ifPresent(message -> outcome.put("problem", message));
            terminal.out().println(ReportText.json(outcome));
        } else if (ready) {
            terminal.out().println("ready after " + seconds + " s");
        } else {
            terminal.err().println("python-sandbox: " + problem.get());
        }
        return ready ? 0 : 1;
    }
}
