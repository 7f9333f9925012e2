package dev.pysandbox.cli.help;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** Generates completions for fish from the command model; picocli has no generator for fish. */
public final class FishCompletion {
    private final String name;
    private final List<String> lines = new ArrayList<>();

    private FishCompletion(String name) {
        this.name = name;
    }

    /** Returns the script. */
    public static String of(String name, CommandLine root) {
        FishCompletion completion = new FishCompletion(name);
        completion.write(root);
        return String.join("\n", completion.lines) + "\n";
    }

    private void write(CommandLine root) {
        lines.add("complete -c " + name + " -e");
        root.getSubcommands()
                .forEach((command, line) -> lines.add("complete -c " + name + " -f -n '__fish_use_subcommand' -a "
                        + command + " -d " + quoted(summary(line.getCommandSpec()))));
        // Inherited options are offered once, for every command.
        options("", root.getCommandSpec());
        root.getSubcommands()
                .forEach((command, line) ->
                        options(" -n '__fish_seen_subcommand_from " + command + "'", line.getCommandSpec()));
        positionals(root);
    }

    private void options(String condition, CommandSpec command) {
        for (OptionSpec option : command.options()) {
            if (option.inherited() || option.hidden() || (command.parent() != null && isStandard(option))) {
                continue;
            }
            StringBuilder line = new StringBuilder("complete -c " + name + condition);
            for (String each : option.names()) {
                line.append(each.startsWith("--") ? " -l " + each.substring(2) : " -s " + each.substring(1));
            }
            line.append(values(option)).append(" -d ").append(quoted(String.join(" ", option.description())));
            lines.add(line.toString());
        }
    }

    private void positionals(CommandLine root) {
        root.getSubcommands().forEach((command, line) -> {
            for (var positional : line.getCommandSpec().positionalParameters()) {
                words(positional)
                        .ifPresent(words -> lines.add("complete -c " + name + " -f -n '__fish_seen_subcommand_from "
                                + command + "' -a " + quoted(words)));
            }
        });
    }

    private static boolean isStandard(OptionSpec option) {
        return option.usageHelp() || option.versionHelp();
    }

    private static String values(OptionSpec option) {
        if (option.arity().max() == 0) {
            return "";
        }
        return switch (option.paramLabel()) {
            case "FILE", "DIR", "PATH", "PATH[:rw]" -> " -r -F";
            default -> words(option).map(words -> " -x -a " + quoted(words)).orElse(" -x");
        };
    }

    private static Optional<String> words(ArgSpec argument) {
        return Optional.ofNullable(argument.completionCandidates()).map(words -> String.join(" ", words));
    }

    private static String summary(CommandSpec command) {
        return command.usageMessage().description()[0];
    }

    private static String quoted(String text) {
        return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
    }
}
