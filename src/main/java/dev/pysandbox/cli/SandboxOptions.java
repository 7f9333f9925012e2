package dev.pysandbox.cli;

import dev.pysandbox.api.Config;
import dev.pysandbox.api.PythonSandbox;
import dev.pysandbox.api.PythonSandboxBuilder;
import dev.pysandbox.cli.http.HttpSettings;
import dev.pysandbox.settings.Property;
import dev.pysandbox.settings.SettingGroup;
import dev.pysandbox.settings.SettingValues;
import dev.pysandbox.support.BundledFile;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * The options that every command shares: one for each line of {@code options.txt}. What is not given has the default of
 * its setting.
 */
final class SandboxOptions {
    /** By property, in the order of the help screens. */
    private final Map<String, SettingOption> options;

    /** What picocli has read, by property. */
    private final Map<String, OptionSpec> specs = new LinkedHashMap<>();

    /** What was read without picocli, by property. */
    private final Map<String, Object> values = new HashMap<>();

    SandboxOptions() {
        this(text(), properties());
    }

    SandboxOptions(String text, List<Property> properties) {
        this.options = parse(text, properties);
    }

    /** Creates options with values that need no picocli. */
    SandboxOptions(FastPathArguments arguments) {
        this();
        for (SettingOption option : options.values()) {
            String value = arguments.options().get(option.name());
            if (value != null) {
                values.put(option.property().name(), option.read(value));
            }
        }
    }

    /** Returns all settings of the program; a group that is not part of {@link Config} is added here. */
    static List<Property> properties() {
        List<Property> properties = new ArrayList<>(Config.properties());
        properties.addAll(Property.of(HttpSettings.defaults()));
        properties.addAll(Property.of(LogSettings.defaults()));
        return properties;
    }

    Collection<SettingOption> all() {
        return options.values();
    }

    /** Returns the names of the options by the section of the help screens. */
    Map<String, List<String>> bySection() {
        Map<String, List<String>> sections = new LinkedHashMap<>();
        for (SettingOption option : options.values()) {
            sections.computeIfAbsent(option.section(), section -> new ArrayList<>())
                    .add(option.name());
        }
        return sections;
    }

    /** Adds the options to the main command, from which the others inherit them. */
    void addTo(CommandSpec command) {
        for (SettingOption option : options.values()) {
            OptionSpec spec = option.spec();
            specs.put(option.property().name(), spec);
            command.addOption(spec);
        }
    }

    /** Configures the logger and returns a builder with the settings that were given. */
    PythonSandboxBuilder builder() {
        read(LogSettings.defaults()).apply();
        PythonSandboxBuilder builder = PythonSandbox.builder();
        forEachGiven(Config.properties(), builder::set);
        return builder;
    }

    /** Returns a group of settings as it was given. */
    <G extends SettingGroup> G read(G defaults) {
        SettingValues values = new SettingValues();
        forEachGiven(Property.of(defaults), values::set);
        return values.over(defaults);
    }

    /** Returns whether a setting was given, as an option or as a variable. */
    boolean isGiven(String property) {
        return read(property) != null;
    }

    /** Returns the option of a setting, such as {@code --max-memory} for {@code maxMemory}. */
    String nameOf(String property) {
        return Optional.ofNullable(options.get(property))
                .map(SettingOption::name)
                .orElse(property);
    }

    private void forEachGiven(List<Property> properties, BiConsumer<String, Object> use) {
        for (Property property : properties) {
            SettingOption option = options.get(property.name());
            Object read = read(property.name());
            if (option != null && read != null) {
                use.accept(property.name(), option.value(read));
            }
        }
    }

    private @Nullable Object read(String property) {
        OptionSpec spec = specs.get(property);
        return spec == null ? values.get(property) : spec.getValue();
    }

    private static Map<String, SettingOption> parse(String text, List<Property> properties) {
        Map<String, Property> byName = new HashMap<>();
        properties.forEach(property -> byName.put(property.name(), property));
        Map<String, SettingOption> options = new LinkedHashMap<>();
        String section = "";
        for (String line : text.split("\n", -1)) {
            if (line.startsWith("--")) {
                String[] columns = line.split(" +", 3);
                String[] option = columns[0].split("=", 2);
                Property property = Optional.ofNullable(byName.get(columns[1]))
                        .orElseThrow(() -> new IllegalStateException("no setting has the name " + columns[1]));
                String label = option.length > 1 ? option[1] : "";
                options.put(columns[1], new SettingOption(section, option[0], label, property, columns[2]));
            } else if (line.endsWith(":")) {
                section = line.substring(0, line.length() - 1);
            }
        }
        return options;
    }

    private static String text() {
        return BundledFile.text(SandboxOptions.class, "options.txt");
    }
}
