package dev.pysandbox;

import dev.pysandbox.Main.Console;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.TypeConversionException;

/** The command line as a whole: its commands, where defaults come from, how mistakes are answered. */
final class Commands {
    static final int USAGE = 2;
    static final String VARIABLE_PREFIX = "PYTHON_SANDBOX_";

    private Commands() {}

    static CommandLine of(Console console, Cleanup cleanup) {
        return of(new ServeCommand(console, cleanup), console, cleanup);
    }

    static CommandLine of(ServeCommand serve, Console console, Cleanup cleanup) {
        CommandLine commands = new CommandLine(serve)
                .addSubcommand(new RunCommand(console, cleanup))
                .addSubcommand(new ValidateCommand(console, cleanup))
                .addSubcommand(new CheckCommand(console, cleanup));
        commands.setDefaultValueProvider(Commands::fromEnvironment);
        commands.setOut(new PrintWriter(console.out(), true, StandardCharsets.UTF_8));
        commands.setErr(new PrintWriter(console.err(), true, StandardCharsets.UTF_8));
        commands.setCaseInsensitiveEnumValuesAllowed(true);
        commands.setOverwrittenOptionsAllowed(true);
        commands.setParameterExceptionHandler((mistake, args) -> refuse(console, mistake.getMessage()));
        commands.setExecutionExceptionHandler((failure, command, parsed) -> {
            if (failure instanceof IllegalArgumentException) {
                return refuse(console, failure.getMessage());
            }
            throw failure;
        });
        return commands;
    }

    /** Every option can be set by a variable too, for clients that configure servers by an env block. */
    private static @Nullable String fromEnvironment(ArgSpec argument) {
        if (!(argument instanceof OptionSpec option)
                || option.longestName().length() < 3
                || option.usageHelp()
                || option.versionHelp()) {
            return null;
        }
        String name = option.longestName().substring(2).replace('-', '_').toUpperCase(Locale.ROOT);
        return System.getenv(VARIABLE_PREFIX + name);
    }

    private static int refuse(Console console, @Nullable String message) {
        console.err()
                .println("python-sandbox: "
                        + Optional.ofNullable(message)
                                .orElse("unknown mistake")
                                .lines()
                                .findFirst()
                                .orElse(""));
        return USAGE;
    }

    /** Turns a refusal of ours into one of picocli's, which names the option. */
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
