package dev.pysandbox.cli;

import dev.pysandbox.cli.help.FishCompletion;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Prints a shell completion script. */
@Command(
        name = "completion",
        description = "Prints a completion script for bash, zsh or fish.",
        footer = {
            "",
            "Add these lines to the start file of your shell:",
            "  bash, zsh   alias python-sandbox='java -jar /path/to/sandbox.jar'",
            "              source <(java -jar /path/to/sandbox.jar completion bash)",
            "  fish        alias python-sandbox 'java -jar /path/to/sandbox.jar'",
            "              java -jar /path/to/sandbox.jar completion fish | source"
        })
final class CompletionCommand implements Callable<Integer> {
    /** The supported shells. */
    enum Shell {
        BASH,
        ZSH,
        FISH;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    @Parameters(paramLabel = "bash|zsh|fish", description = "The shell.")
    private Shell shell = Shell.BASH;

    @Option(
            names = "--name",
            paramLabel = "NAME",
            defaultValue = "python-sandbox",
            description = "The command to complete (default: python-sandbox).")
    private String name = "python-sandbox";

    @Spec
    private CommandSpec spec = CommandSpec.create();

    private final CommandContext context;

    CompletionCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        if (!name.matches("[A-Za-z0-9._-]+")) {
            throw new IllegalArgumentException("--name must be a plain word, got '" + name + "'");
        }
        CommandLine root = spec.root().commandLine();
        // picocli's bash script also works in zsh: it loads bashcompinit there.
        String script = shell == Shell.FISH ? FishCompletion.of(name, root) : AutoComplete.bash(name, root);
        context.terminal().out().print(script);
        context.terminal().out().flush();
        return 0;
    }
}
