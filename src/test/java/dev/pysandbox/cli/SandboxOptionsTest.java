package dev.pysandbox.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pysandbox.api.Config;
import dev.pysandbox.cli.http.HttpSettings;
import dev.pysandbox.cli.terminal.Terminal;
import dev.pysandbox.settings.InvalidSettingException;
import dev.pysandbox.settings.Property;
import dev.pysandbox.settings.PropertyName;
import dev.pysandbox.settings.SettingGroup;
import dev.pysandbox.support.ByteSize;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/** Checks that every setting of a group with a line of help is an option. */
class SandboxOptionsTest {
    @TempDir
    Path folder;

    static List<Property> properties() {
        return SandboxOptions.properties();
    }

    static Stream<SettingOption> options() {
        return new SandboxOptions().all().stream();
    }

    @ParameterizedTest
    @MethodSource("properties")
    void eachSettingHasOneOption(Property property) {
        assertEquals(
                1,
                options().filter(option -> option.property().equals(property)).count(),
                () -> "lines of options.txt for " + property.name());
        assertEquals(
                1,
                properties().stream()
                        .filter(other -> other.name().equals(property.name()))
                        .count());
    }

    @ParameterizedTest
    @MethodSource("options")
    void eachOptionIsInTheHelp(SettingOption option) {
        assertTrue(option.name().matches("--[a-z]+(-[a-z]+)*"), option.name());
        assertTrue(option.help().matches("[A-Z].*\\."), option.help());
        assertFalse(option.section().isEmpty());
        String help = Commands.of(context(new SandboxOptions())).getUsageMessage();
        int section = help.indexOf("\n" + option.section() + ":\n");
        assertTrue(section > 0 && help.indexOf(" " + option.name(), section) > section, help);
    }

    @ParameterizedTest
    @MethodSource("options")
    void theHelpNamesTheDefault(SettingOption option) {
        Object value = option.property().defaultValue();
        Optional<String> text = Optional.empty();
        if (value instanceof Duration duration) {
            text = Optional.of(Long.toString(duration.toSeconds()));
        } else if (value instanceof Enum<?> constant) {
            text = Optional.of(constant.name().toLowerCase(Locale.ROOT));
        } else if (value instanceof Number || value instanceof ByteSize) {
            text = Optional.of(value.toString());
        }
        String help = option.help();
        text.ifPresent(expected -> assertTrue(help.matches(".*\\(default: " + expected + "\\b.*"), help));
    }

    @ParameterizedTest
    @MethodSource("options")
    void eachOptionReachesItsSetting(SettingOption option) {
        SandboxOptions options = new SandboxOptions();
        assertFalse(options.isGiven(option.property().name()));
        Commands.of(context(options)).parseArgs(arguments(option));
        assertTrue(options.isGiven(option.property().name()));
        Object before = option.property().defaultValue();
        Object after = valueOf(option.property().name(), options);
        assertNotEquals(before, after);
        assertEquals(before.getClass().isEnum(), after.getClass().isEnum());
    }

    /** An additional group: a record and its lines of help are all that it needs. */
    record Http(@PropertyName("http") Optional<String> address, int httpClients) implements SettingGroup {
        Http {
            InvalidSettingException.expect(httpClients > 0, "httpClients", "must be at least 1, got ", httpClients);
        }
    }

    @Test
    void aGroupIsAddedByItsRecordAndItsHelp() {
        Http defaults = new Http(Optional.empty(), 8);
        String help = """
                HTTP:
                --http=[HOST:]PORT  http         Serve HTTP on this port (default: stdin and stdout).
                --http-clients=N    httpClients  Clients at a time (default: 8).
                """;
        SandboxOptions options = new SandboxOptions(help, Property.of(defaults));
        CommandLine command = Commands.of(context(options));
        assertTrue(command.getUsageMessage().contains("\nHTTP:\n"));
        command.parseArgs("--http=8080", "check");
        assertEquals(new Http(Optional.of("8080"), 8), options.read(defaults));
        command.parseArgs("--http-clients", "0");
        InvalidSettingException refusal = assertThrows(InvalidSettingException.class, () -> options.read(defaults));
        assertEquals("--http-clients must be at least 1, got 0", refusal.message(options::nameOf));
    }

    @Test
    void variablesAndFoldersAreRead() {
        SandboxOptions options = new SandboxOptions();
        Commands.of(context(options))
                .parseArgs(
                        "--env=A=1,2", "--env", "B=", "--mount", folder + ":rw", "--allow-host=a,b", "--no-warm-cache");
        Config config = options.builder().config();
        assertEquals(Map.of("A", "1,2", "B", ""), config.shared().environment());
        assertEquals(
                List.of(new Config.DataFolder(folder, true)), config.shared().mounts());
        assertEquals(List.of("a", "b"), config.network().allowHosts());
        assertFalse(config.cache().warm());
    }

    private static Object valueOf(String property, SandboxOptions options) {
        return Stream.concat(
                        Property.of(options.builder().config()).stream(),
                        Stream.of(HttpSettings.defaults(), LogSettings.defaults())
                                .flatMap(group -> Property.of(options.read(group)).stream()))
                .filter(found -> found.name().equals(property))
                .map(Property::defaultValue)
                .findFirst()
                .orElseThrow();
    }

    /** Returns arguments with a valid value that is not the default. */
    private String[] arguments(SettingOption option) {
        return option.label().isEmpty()
                ? new String[] {option.name()}
                : new String[] {option.name(), sample(option.label(), option.property())};
    }

    private String sample(String label, Property property) {
        Object value = property.defaultValue();
        if (value instanceof String text) {
            return text.substring(0, text.length() - 1) + (char) (text.charAt(text.length() - 1) + 1);
        }
        if (value instanceof Number || value instanceof Duration || label.equals("N") || label.equals("DAYS")) {
            long number = value instanceof Number given ? given.longValue() : 0;
            return Long.toString(1 + (value instanceof Duration given ? given.toSeconds() : number));
        }
        if (value instanceof ByteSize size) {
            return Long.toString(size.bytes() + 1);
        }
        if (value instanceof Enum<?> constant) {
            return Stream.of(label.split("\\|", -1))
                    .filter(word -> !word.equalsIgnoreCase(constant.name()))
                    .findFirst()
                    .orElseThrow();
        }
        if (value instanceof Map) {
            return "SAMPLE=1";
        }
        return label.startsWith("PATH") || label.equals("DIR") ? folder.toString() : "sample";
    }

    private static CommandContext context(SandboxOptions options) {
        PrintStream nowhere = new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8);
        Terminal terminal = Terminal.plain(InputStream.nullInputStream(), nowhere, nowhere);
        return new CommandContext(terminal, new ShutdownHook(), options);
    }
}
