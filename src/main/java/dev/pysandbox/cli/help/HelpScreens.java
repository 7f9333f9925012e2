package dev.pysandbox.cli.help;

import dev.pysandbox.cli.terminal.Terminal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/** Lays out the help screens: options in sections; each command shows only the options that affect it. */
public final class HelpScreens {
    private static final int WIDTH = 100;
    private static final String SCRIPT = "Script";
    private static final String OTHER = "Other";

    /** Commands that run nothing, and the shared options that still mean something to them. */
    private static final Map<String, Set<String>> ONLY =
            Map.of("clean", Set.of("--cache-dir"), "uninstall", Set.of("--cache-dir"), "completion", Set.of());

    private static final String SHARED =
            "Options of the server, such as --network, can be given too: python-sandbox --help lists them.";

    private final Map<String, List<String>> sections;

    private HelpScreens(Map<String, List<String>> sections) {
        this.sections = sections;
    }

    /**
     * Sets the layout of a command and its subcommands.
     *
     * @param shared the names of the options that all commands share, by section
     */
    public static void arrange(CommandLine command, Terminal terminal, Map<String, List<String>> shared) {
        Map<String, List<String>> sections = new LinkedHashMap<>();
        sections.put(
                SCRIPT, List.of("--file", "--dependency", "--timeout", "--memory", "--output", "--variable", "--out"));
        sections.putAll(shared);
        new HelpScreens(sections).arrange(command, terminal);
    }

    private void arrange(CommandLine command, Terminal terminal) {
        CommandSpec spec = command.getCommandSpec();
        spec.mixinStandardHelpOptions(true).versionProvider(new VersionProvider());
        spec.usageMessage()
                .width(WIDTH)
                .sortOptions(false)
                .abbreviateSynopsis(true)
                .commandListHeading("%nCommands:%n")
                .sectionMap()
                .put(UsageMessageSpec.SECTION_KEY_OPTION_LIST, this::options);
        command.setColorScheme(Help.defaultColorScheme(terminal.colours() ? Ansi.ON : Ansi.OFF));
        command.getSubcommands().values().forEach(below -> arrange(below, terminal));
    }

    private String options(Help help) {
        List<OptionSpec> all = help.commandSpec().options().stream()
                .filter(option -> meansSomething(option, help.commandSpec()))
                .toList();
        Map<String, List<OptionSpec>> bySection =
                all.stream().collect(Collectors.groupingBy(this::section, LinkedHashMap::new, Collectors.toList()));
        StringBuilder text = new StringBuilder();
        for (String section : sections.keySet()) {
            List<OptionSpec> options = bySection.getOrDefault(section, List.of());
            if (!options.isEmpty()) {
                // The layout gets all options, so that the columns are the same in each section.
                Help.Layout layout = help.createDefaultLayout(all, List.of(), help.colorScheme());
                layout.addOptions(options, help.createDefaultParamLabelRenderer());
                text.append(String.format("%n%s:%n", section)).append(layout);
            }
        }
        if (help.commandSpec().options().stream().anyMatch(OptionSpec::inherited)
                && !ONLY.containsKey(help.commandSpec().name())) {
            text.append(String.format("%n%s%n", SHARED));
        }
        return text.toString();
    }

    private static boolean meansSomething(OptionSpec option, CommandSpec command) {
        return !option.hidden()
                && (!option.inherited()
                        || ONLY.getOrDefault(command.name(), Set.of()).contains(option.longestName()));
    }

    private String section(OptionSpec option) {
        return sections.entrySet().stream()
                .filter(section -> section.getValue().contains(option.longestName()))
                .map(Map.Entry::getKey)
                .findFirst()
                .orElse(OTHER);
    }
}
