package dev.pysandbox;

import dev.pysandbox.Main.Console;
import dev.pysandbox.mcp.PythonSandboxServer;
import dev.pysandbox.run.PythonSandbox;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Without a command's name: serves MCP on stdin and stdout until the input ends. */
@Command(
        name = "python-sandbox",
        mixinStandardHelpOptions = true,
        versionProvider = VersionProvider.class,
        usageHelpAutoWidth = true,
        sortOptions = false,
        description = {
            "Runs Python scripts with their dependencies in a throwaway sandbox.",
            "Without a command it serves the tools execute_python, validate_script and check_environment over MCP on"
                    + " stdin and stdout."
        },
        footer = {
            "",
            "Every option can also be set by a variable: --max-memory by PYTHON_SANDBOX_MAX_MEMORY, and so on."
        })
final class ServeCommand implements Callable<Integer> {
    @Mixin
    private SandboxOptions options = new SandboxOptions();

    private final Console console;
    private final Cleanup cleanup;

    ServeCommand(Console console, Cleanup cleanup) {
        this.console = console;
        this.cleanup = cleanup;
    }

    @Override
    public Integer call() throws IOException {
        PythonSandbox sandbox = PythonSandbox.open(options.config());
        cleanup.register(sandbox);
        sandbox.warmInBackground();
        new PythonSandboxServer(sandbox, console.in(), console.out()).run();
        return 0;
    }
}
