package dev.pysandbox.cli.help;

import dev.pysandbox.support.ByteSize;
import dev.pysandbox.support.EditDistance;
import dev.pysandbox.support.ShortText;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import picocli.CommandLine;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Describes mistakes in a command line or in the variables that stand for options. */
public final class UsageMistakes {
    private static final int LONGEST = 60;
    private static final Map<Class<?>, String> KINDS = Map.of(
            Number.class, "a number", Boolean.class, "true or false", ByteSize.class, "a size such as 512m or 2g");

    private UsageMistakes() {}

    public static String message(ParameterException mistake) {
        CommandLine command = mistake.getCommandLine();
        if (mistake instanceof UnmatchedArgumentException unmatched
                && !unmatched.getUnmatched().isEmpty()) {
            return unknown(unmatched.getUnmatched().get(0), command);
        }
        if (mistake instanceof MissingParameterException missing
                && !missing.getMissing().isEmpty()) {
            ArgSpec argument = missing.getMissing().get(0);
            return argument.isPositional() && argument.type().isEnum()
                    ? name(argument) + " is missing; give one of " + choices(argument, argument.type())
                    : name(argument) + " needs a value: " + argument.paramLabel();
        }
        ArgSpec argument = mistake.getArgSpec();
        String value = mistake.getValue();
        if (argument == null || value == null) {
            return String.valueOf(mistake.getMessage());
        }
        String name = name(argument);
        String given = ", got '" + ShortText.line(value, LONGEST) + "'";
        Class<?> type = argument.typeInfo().isMultiValue() ? argument.auxiliaryTypes()[0] : argument.type();
        if (type.isEnum()) {
            return name + " must be one of " + choices(argument, type) + given;
        }
        return KINDS.entrySet().stream()
                .filter(kind -> kind.getKey().isAssignableFrom(type))
                .map(kind -> name + " must be " + kind.getValue() + given)
                .findFirst()
                .orElse(String.valueOf(mistake.getMessage()));
    }

    private static String name(ArgSpec argument) {
        if (argument instanceof OptionSpec option) {
            return option.longestName();
        }
        return argument.paramLabel().contains("|") ? "the argument" : argument.paramLabel();
    }

    private static String choices(ArgSpec argument, Class<?> type) {
        Iterable<String> candidates = argument.completionCandidates();
        Stream<String> names = candidates == null
                ? Arrays.stream(type.getEnumConstants())
                        .map(each -> each.toString().toLowerCase(Locale.ROOT))
                : StreamSupport.stream(candidates.spliterator(), false);
        return names.map(each -> each.toLowerCase(Locale.ROOT)).collect(Collectors.joining(", "));
    }

    private static String unknown(String word, CommandLine command) {
        boolean option = word.startsWith("-");
        String name = word.split("=", 2)[0];
        if (word.endsWith(".py") && command.getSubcommands().containsKey("run")) {
            String script = ShortText.line(word, LONGEST);
            return "unknown command: '" + script + "'; did you mean: run " + script + "?";
        }
        Collection<String> known = option
                ? command.getCommandSpec().optionsMap().keySet()
                : command.getSubcommands().keySet();
        return (option ? "unknown option: " : known.isEmpty() ? "unexpected argument: " : "unknown command: ") + "'"
                + ShortText.line(name, LONGEST) + "'"
                + nearest(name, option && name.length() <= 2 ? List.of() : known)
                        .map(meant -> "; did you mean " + meant + "?")
                        .orElse("");
    }

    /**
     * Returns a message about a variable whose name is nearly that of an option.
     *
     * @param known the variables of all options
     */
    public static Optional<String> variable(Map<String, String> environment, List<String> known, String prefix) {
        return environment.keySet().stream()
                .sorted()
                .filter(name -> name.startsWith(prefix) && !known.contains(name))
                .flatMap(name -> nearest(name, known).stream()
                        .map(meant ->
                                "unknown variable: " + ShortText.line(name, LONGEST) + "; did you mean " + meant + "?"))
                .findFirst();
    }

    private static Optional<String> nearest(String name, Collection<String> known) {
        String wrong = name.toLowerCase(Locale.ROOT);
        return known.stream()
                .filter(each -> wrong.length() >= 2 && wrong.length() <= LONGEST)
                .filter(each -> EditDistance.of(each.toLowerCase(Locale.ROOT), wrong) <= (wrong.length() == 2 ? 1 : 2)
                        || (wrong.length() > 3 && each.toLowerCase(Locale.ROOT).startsWith(wrong)))
                .min((left, right) -> Integer.compare(
                        EditDistance.of(left.toLowerCase(Locale.ROOT), wrong),
                        EditDistance.of(right.toLowerCase(Locale.ROOT), wrong)));
    }
}
