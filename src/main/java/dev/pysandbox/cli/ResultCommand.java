package dev.pysandbox.cli;

import dev.pysandbox.api.PythonSandbox;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Option;

/** A command that prints a result, as text or as JSON. */
abstract class ResultCommand implements Callable<Integer> {
    @Option(names = "--json", description = "Print the result as JSON.")
    boolean json;

    final CommandContext context;

    ResultCommand(CommandContext context) {
        this.context = context;
    }

    /** Opens a sandbox with the options that were given. */
    PythonSandbox open() throws IOException {
        return context.open(context.options().builder().config(), CommandContext.STOPPED);
    }
}
