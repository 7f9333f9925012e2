package dev.pysandbox.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pysandbox.cli.terminal.Terminal;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What needs no sandbox: help, mistakes, completion. */
class CommandsTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @ParameterizedTest
    @ValueSource(strings = {"", "run", "validate", "check", "warm", "clean", "mcp-config", "completion"})
    void helpFitsIntoAHundredColumns(String command) {
        assertEquals(0, command.isEmpty() ? run("--help") : run(command, "--help"));
        assertTrue(text(out).lines().allMatch(line -> line.length() <= 100), text(out));
        assertTrue(text(out).startsWith("Usage: python-sandbox"));
    }

    @Test
    void optionsStandInSections() {
        run("run", "--help");
        String help = text(out);
        int last = -1;
        for (String heading : new String[] {"Script:", "Sandbox:", "Limits:", "Files:", "Other:", "Exit codes:"}) {
            int place = help.indexOf("\n" + heading + "\n");
            assertTrue(place > last, heading);
            last = place;
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "run -m 3g x | -m must be at most --max-memory (2g), got 3g",
                "--policy restricted run -m 2g x | -m must be at most --max-memory (1g), got 2g",
                "run x --policy restricted -o 300000 | -o must be at most --max-output-bytes (262144), got 300000",
                "run -t 0 x | -t must be 1 to --max-timeout (300), got 0",
                "--policy restricted run -t 61 x | -t must be 1 to --max-timeout (60), got 61",
                "--policy restricted --max-timeout 61 | --max-timeout must be at most 60 with --policy restricted, got 61",
                "run | give the script as CODE, as -f FILE, or - to read it from stdin"
            })
    void mistakesAreOneLine(String arguments, String complaint) {
        assertEquals(2, run(arguments.split(" ", -1)));
        assertEquals("python-sandbox: " + complaint + "\n", text(err));
        assertEquals("", text(out));
    }

    @Test
    void fishIsOfferedCommandsOptionsAndWords() {
        run("completion", "fish");
        assertTrue(text(out).contains("-a validate "));
        assertTrue(text(out).contains("-l network -x -a 'none internet host'"));
        assertTrue(text(out).contains("'__fish_seen_subcommand_from mcp-config' -a 'claude-code "));
    }

    private int run(String... arguments) {
        Terminal console = Terminal.plain(
                new ByteArrayInputStream(new byte[0]),
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8));
        return Main.run(arguments, console, new ShutdownHook());
    }

    private static String text(ByteArrayOutputStream stream) {
        return stream.toString(StandardCharsets.UTF_8);
    }
}
