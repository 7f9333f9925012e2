package dev.pysandbox.cli;

import dev.pysandbox.api.Config;
import dev.pysandbox.api.Config.DataFolder;
import dev.pysandbox.cli.http.HttpServing;
import dev.pysandbox.cli.http.HttpSettings;
import dev.pysandbox.cli.launcher.ClassArchive;
import dev.pysandbox.cli.terminal.Terminal;
import dev.pysandbox.execution.LocalPythonSandbox;
import dev.pysandbox.mcp.stdio.StdioServer;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** The command without a name: serves MCP on stdin and stdout until the input ends, or by HTTP until it is stopped. */
@Command(
        name = "python-sandbox",
        description = {
            "Runs Python scripts with their dependencies in a throwaway sandbox.",
            "Without a command it serves the tools execute_python, validate_script and check_environment over MCP on"
                    + " stdin and stdout, or by HTTP with --http."
        },
        footer = {
            "",
            "Every option can also be set by a variable: --max-memory by PYTHON_SANDBOX_MAX_MEMORY, and so on.",
            "Options can be before or after the name of a command."
        })
final class ServeCommand implements Callable<Integer> {
    private final CommandContext context;

    ServeCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() throws IOException {
        Config config = context.options().builder().config();
        HttpSettings http = context.options().read(HttpSettings.defaults());
        List<String> dataFolders =
                config.shared().mounts().stream().map(DataFolder::description).toList();
        boolean keepsFiles = config.shared().keepFiles().isPresent();
        Terminal terminal = context.terminal();
        if (http.address().isPresent()) {
            HttpServing serving = new HttpServing(http, http.address().get());
            serving.serve(
                    open(context, config),
                    dataFolders,
                    keepsFiles,
                    terminal.err(),
                    end -> context.shutdownHook().register(end, 0));
        } else {
            LocalPythonSandbox sandbox = open(context, config);
            announceToPerson(terminal);
            new StdioServer(() -> sandbox, dataFolders, keepsFiles, terminal.in(), terminal.out()).run();
        }
        return 0;
    }

    /** Tells a person who started a server in a terminal what it does; a client has a pipe. */
    static void announceToPerson(Terminal terminal) {
        if (Terminal.readsFromTerminal()) {
            terminal.err().println("""
                python-sandbox: this is an MCP server; an MCP client starts it and talks to it on stdin.
                  add it to a client:  python-sandbox mcp-config claude-code --write
                  run a script:        python-sandbox run "print(6 * 7)"
                  all commands:        python-sandbox --help
                It ends at Ctrl-D or Ctrl-C.\
                """);
        }
    }

    /** Opens the sandbox of a server that is started without picocli. */
    static LocalPythonSandbox open(FastPathArguments arguments, Terminal terminal, ShutdownHook shutdownHook)
            throws IOException {
        CommandContext context = new CommandContext(terminal, shutdownHook, new SandboxOptions(arguments));
        return open(context, context.options().builder().config());
    }

    private static LocalPythonSandbox open(CommandContext context, Config config) throws IOException {
        // SIGTERM and SIGINT are regular ends of a server.
        LocalPythonSandbox sandbox = context.open(config, 0);
        sandbox.keepWarm();
        sandbox.warmInBackground();
        Optional<ClassArchive> archive = ClassArchive.ofProcess();
        if (archive.isPresent()) {
            sandbox.whenIdle(
                    "archive of classes",
                    () -> archive.get().refresh(ArchiveTraining.class, ArchiveTraining.options(config)));
        }
        return sandbox;
    }
}
