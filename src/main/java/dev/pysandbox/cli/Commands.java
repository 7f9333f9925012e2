package dev.pysandbox.cli;

import dev.pysandbox.cli.clients.McpClient;
import dev.pysandbox.cli.help.HelpScreens;
import dev.pysandbox.cli.help.UsageMistakes;
import dev.pysandbox.cli.terminal.Terminal;
import dev.pysandbox.settings.InvalidSettingException;
import dev.pysandbox.support.ByteSize;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.TypeConversionException;

/** Builds the command line: commands, defaults from environment variables, error handling. */
final class Commands {
    static final int USAGE = 2;
    static final String VARIABLE_PREFIX = "PYTHON_SANDBOX_";

    private Commands() {}

    static CommandLine of(Terminal terminal, ShutdownHook shutdownHook) {
        return of(new CommandContext(terminal, shutdownHook, new SandboxOptions()));
    }

    static CommandLine of(CommandContext context) {
        Terminal terminal = context.terminal();
        CommandLine commands = new CommandLine(new ServeCommand(context));
        context.options().addTo(commands.getCommandSpec());
        commands.addSubcommand(new RunCommand(context))
                .addSubcommand(new ValidateCommand(context))
                .addSubcommand(new CheckCommand(context))
                .addSubcommand(new WarmCommand(context))
                .addSubcommand(new CleanCommand(context))
                .addSubcommand(new McpConfigCommand(context))
                .addSubcommand(new InstallCommand(context))
                .addSubcommand(new UninstallCommand(context))
                .addSubcommand(new CompletionCommand(context));
        commands.registerConverter(McpClient.class, new ClientConverter());
        HelpScreens.arrange(commands, terminal, context.options().bySection());
        commands.setDefaultValueProvider(Commands::fromEnvironment);
        commands.setExecutionStrategy(parsed -> execute(parsed, commands, terminal));
        commands.setOut(new PrintWriter(terminal.out(), true, StandardCharsets.UTF_8));
        commands.setErr(new PrintWriter(terminal.err(), true, StandardCharsets.UTF_8));
        commands.setCaseInsensitiveEnumValuesAllowed(true);
        commands.setOverwrittenOptionsAllowed(true);
        commands.setParameterExceptionHandler((mistake, args) -> refuse(terminal, UsageMistakes.message(mistake)));
        commands.setExecutionExceptionHandler((failure, command, parsed) -> exitCode(failure, context));
        return commands;
    }

    /** Reports why a command failed and returns its exit code. */
    static int exitCode(Exception failure, CommandContext context) {
        Terminal terminal = context.terminal();
        if (failure instanceof InvalidSettingException invalid) {
            return refuse(terminal, invalid.message(context.options()::nameOf));
        }
        if (failure instanceof IllegalArgumentException) {
            return refuse(terminal, failure.getMessage());
        }
        if (failure instanceof CancellationException) {
            return CommandContext.STOPPED;
        }
        if (failure instanceof FileSystemException file) {
            return refuse(
                    terminal,
                    file.getFile() + " can't be read or written"
                            + Optional.ofNullable(file.getReason())
                                    .map(reason -> ": " + reason)
                                    .orElse(""));
        }
        failure.printStackTrace(terminal.err());
        return CommandLine.ExitCode.SOFTWARE;
    }

    /** Executes the last command, unless help is wanted or a variable is misspelt. */
    private static int execute(ParseResult parsed, CommandLine commands, Terminal terminal) {
        Integer help = CommandLine.executeHelpRequest(parsed);
        if (help != null) {
            return help;
        }
        return UsageMistakes.variable(System.getenv(), variables(commands), VARIABLE_PREFIX)
                .map(message -> refuse(terminal, message))
                .orElseGet(() -> new CommandLine.RunLast().execute(parsed));
    }

    /** Returns the default of an option from the environment, for clients that configure servers by an env block. */
    private static @Nullable String fromEnvironment(ArgSpec argument) {
        if (!(argument instanceof OptionSpec option)
                || option.longestName().length() < 3
                || option.usageHelp()
                || option.versionHelp()) {
            return null;
        }
        return System.getenv(variable(option.longestName()));
    }

    private static List<String> variables(CommandLine commands) {
        return commands.getCommandSpec().options().stream()
                .map(OptionSpec::longestName)
                .filter(name -> name.startsWith("--"))
                .map(Commands::variable)
                .toList();
    }

    /** Returns the variable that sets an option: {@code PYTHON_SANDBOX_MAX_MEMORY} for {@code --max-memory}. */
    static String variable(String option) {
        return VARIABLE_PREFIX + option.substring(2).replace('-', '_').toUpperCase(Locale.ROOT);
    }

    private static int refuse(Terminal terminal, @Nullable String message) {
        terminal.err()
                .println("python-sandbox: "
                        + Optional.ofNullable(message)
                                .orElse("unknown error")
                                .lines()
                                .findFirst()
                                .orElse(""));
        return USAGE;
    }

    static final class SizeConverter extends Converter<ByteSize> {
        @Override
        ByteSize parse(String text) {
            return ByteSize.parse(text);
        }
    }

    static final class ClientConverter extends Converter<McpClient> {
        @Override
        McpClient parse(String text) {
            return Arrays.stream(McpClient.values())
                    .filter(client -> client.toString().equalsIgnoreCase(text))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException(
                            "expected one of " + Arrays.toString(McpClient.values()) + ", got '" + text + "'"));
        }
    }

    /** Converts an IllegalArgumentException to picocli's exception, whose message names the option. */
    abstract static class Converter<T> implements ITypeConverter<T> {
        abstract T parse(String text);

        @Override
        public final T convert(String text) {
            try {
                return parse(text);
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException(String.valueOf(e.getMessage()));
            }
        }
    }
}
