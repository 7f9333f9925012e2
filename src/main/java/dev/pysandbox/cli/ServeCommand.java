package dev.pysandbox.cli;

import dev.pysandbox.api.PythonSandbox;
import dev.pysandbox.cli.terminal.Terminal;
import dev.pysandbox.mcp.stdio.StdioServer;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** The command without a name: serves MCP on stdin and stdout until the input ends. */
@Command(
        name = "python-sandbox",
        description = {
            "Runs Python scripts with their dependencies in a throwaway sandbox.",
            "Without a command it serves the tools execute_python, validate_script and check_environment over MCP on"
                    + " stdin and stdout."
        },
        footer = {
            "",
            "Every option can also be set by a variable: --max-memory by PYTHON_SANDBOX_MAX_MEMORY, and so on.",
            "Options can be before or after the name of a command."
        })
final class ServeCommand implements Callable<Integer> {
    private final CommandContext invocation;

    ServeCommand(CommandContext invocation) {
        this.invocation = invocation;
    }

    @Override
    public Integer call() throws IOException {
        PythonSandbox sandbox = open(invocation);
        Terminal console = invocation.console();
        new StdioServer(() -> sandbox, sandbox.dataFolders(), sandbox.keepsFiles(), console.in(), console.out()).run();
        return 0;
    }

    /** Opens the sandbox for arguments that {@link FastPathArguments} accepted. */
    static PythonSandbox open(String[] args, Terminal console, ShutdownHook cleanup) throws IOException {
        CommandContext invocation = new CommandContext(console, cleanup, new SandboxOptions());
        Commands.of(invocation).parseArgs(args);
        return open(invocation);
    }

    private static PythonSandbox open(CommandContext invocation) throws IOException {
        // SIGTERM and SIGINT are regular ends of a server.
        PythonSandbox sandbox = invocation.open(invocation.options().builder().config(), 0);
        sandbox.keepWarm();
        sandbox.warmInBackground();
        return sandbox;
    }
}
