package dev.pysandbox.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pysandbox.cli.terminal.Terminal;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests commands without a sandbox: help, errors, completion. */
class CommandsTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "run",
                "validate",
                "check",
                "warm",
                "clean",
                "mcp-config",
                "install",
                "uninstall",
                "completion"
            })
    void helpFitsIntoAHundredColumns(String command) {
        assertEquals(0, command.isEmpty() ? run("--help") : run(command, "--help"));
        assertTrue(text(out).lines().allMatch(line -> line.length() <= 100), text(out));
        assertTrue(text(out).startsWith("Usage: python-sandbox"));
    }

    @Test
    void aCommandListsItsOwnOptionsOnly() {
        run("run", "--help");
        assertTrue(text(out).contains("--timeout=SECONDS") && text(out).contains("--json"), text(out));
        assertFalse(text(out).contains("--max-memory=") || text(out).contains("--docker-image"), text(out));
        assertTrue(text(out).contains("python-sandbox --help lists them.\n"), text(out));
        out.reset();
        run("clean", "--help");
        assertTrue(text(out).contains("--cache-dir"), text(out));
    }

    @Test
    void optionsStandInSections() {
        run("--help");
        String help = text(out);
        int last = -1;
        for (String heading : new String[] {"Sandbox:", "Limits:", "Files:", "HTTP:", "Other:", "Commands:"}) {
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
                "--policy restricted --max-timeout 61 | --max-timeout must be at most 60 with --policy restricted, got"
                        + " 61",
                "--python-version 4.1 check | --python-version must look like 3.13, got '4.1'",
                "--network none --allow-host a check | --allow-host requires --network internet, got none",
                "--allow-host a,b --network host check | --allow-host requires --network internet, got host",
                "--env =x check | --env must look like NAME or NAME=VALUE, got '=x'",
                "--env 1A=x check | --env must look like NAME or NAME=VALUE, got '1A'",
                "--default-timeout 0 check | --default-timeout must be between 1 and --max-timeout (300 seconds), got"
                        + " 0",
                "--default-timeout 301 check | --default-timeout must be between 1 and --max-timeout (300 seconds),"
                        + " got 301",
                "--max-timeout 0 check | --max-timeout must be at least 1 second, got 0",
                "--max-timeout 10 check | --default-timeout must be between 1 and --max-timeout (10 seconds), got 30",
                "--max-output-bytes 10 check | --max-output-bytes must be at least 1024, got 10",
                "--max-memory 1m check | --max-memory must be at least 32m, got 1m",
                "--max-processes 0 check | --max-processes must be at least 1, got 0",
                "--max-cpus 0 check | --max-cpus must be more than 0, got 0.0",
                "--tmp-size 1k check | --tmp-size must be at least 1m, got 1k",
                "--max-concurrent 0 check | --max-concurrent must be at least 1, got 0",
                "--mount /nonexist check | --mount must name a folder or file that exists, got '/nonexist'",
                "--mount relx:rw check | --mount must name a folder or file that exists, got 'relx'",
                "--mount / check | --mount must name a folder or file, got '/'",
                "--keep-files /etc/passwd/x check | --keep-files must name a writable folder, or one that can be"
                        + " created, got '/etc/passwd/x'",
                "--warm-pool -1 check | --warm-pool must be 0 or more, got -1",
                "--package-age -1 check | --package-age must be 0 or more days, got -1",
                "--docker-image -x check | --docker-image must look like name:tag, got '-x'",
                "--docker-runtime a;b check | --docker-runtime must be a name such as runsc, got 'a;b'",
                "--policy restricted --max-memory 2g check | --max-memory must be at most 1g with --policy restricted,"
                        + " got 2g",
                "--policy restricted --max-output-bytes 300000 check | --max-output-bytes must be at most 262144 with"
                        + " --policy restricted, got 300000",
                "--policy restricted --default-timeout 61 check | --default-timeout must be between 1 and"
                        + " --max-timeout (60 seconds), got 61",
                "--max-memory 1m --max-memory 4g check --tmp-size 1k | --tmp-size must be at least 1m, got 1k",
                "check --max-memory 1m | --max-memory must be at least 32m, got 1m",
                "--max-memory 4g check --max-memory 1m | --max-memory must be at least 32m, got 1m",
                "--mount= check | --mount must name a folder or file, got ''",
                "--mount=:rw check | --mount must name a folder or file, got ''",
                "rnu x | unknown command: 'rnu'; did you mean run?",
                "rn x | unknown command: 'rn'; did you mean run?",
                "xy | unknown command: 'xy'",
                "an.py | unknown command: 'an.py'; did you mean: run an.py?",
                "run -x y | unknown option: '-x'",
                "chekc | unknown command: 'chekc'; did you mean check?",
                "no-such-command | unknown command: 'no-such-command'",
                "--netwrok none check | unknown option: '--netwrok'; did you mean --network?",
                "run --dependancy six x | unknown option: '--dependancy'; did you mean --dependency?",
                "run x y | unexpected argument: 'y'",
                "--network x check | --network must be one of none, internet, host, got 'x'",
                "--log-level loud check | --log-level must be one of error, warn, info, debug, got 'loud'",
                "completion tcsh | the argument must be one of bash, zsh, fish, got 'tcsh'",
                "run -t soon x | --timeout must be a number, got 'soon'",
                "--max-processes many check | --max-processes must be a number, got 'many'",
                "run -m much x | --memory must be a size such as 512m or 2g, got 'much'",
                "--max-memory much check | --max-memory must be a size such as 512m or 2g, got 'much'",
                "--require-sandbox=maybe check | --require-sandbox must be true or false, got 'maybe'",
                "run -t | --timeout needs a value: SECONDS",
                "--keep-files= check | --keep-files must not be empty",
                "--cache-dir= clean | --cache-dir must not be empty",
                "mcp-config foo | CLIENT must be one of claude-code, claude-desktop, cursor, codex, vscode, gemini,"
                        + " opencode, got 'foo'",
                "mcp-config | CLIENT is missing; give one of claude-code, claude-desktop, cursor, codex, vscode, gemini,"
                        + " opencode",
                "--max-cpus x check | --max-cpus must be a number, got 'x'",
                "run nofile.py | there is no file 'nofile.py'; give the script as CODE, or an existing file as -f FILE",
                "run -f /etc | '''/etc'' must be a file that can be read'",
                "run --out x --keep-files x pass | give either --out or --keep-files, not both",
                "run | give the script as CODE, as -f FILE, or - to read it from stdin"
            })
    void mistakesAreOneLine(String arguments, String complaint) {
        assertEquals(2, run(arguments.split(" ", -1)));
        assertEquals("python-sandbox: " + complaint + "\n", text(err));
        assertEquals("", text(out));
    }

    @Test
    void aFileThatIsNoTextIsNamed(@TempDir Path folder) throws IOException {
        Path file = Files.write(folder.resolve("in Latin é.py"), new byte[] {'#', (byte) 0xe9});
        assertEquals(2, run("run", file.toString()));
        assertEquals("python-sandbox: '" + file + "' must be a file with text in UTF-8\n", text(err));
    }

    @Test
    void anEntryIsRemovedFromTheSettings(@TempDir Path folder) throws IOException {
        Path json = Files.writeString(folder.resolve("mcp.json"), """
            {
              // mine
              "mcpServers": {
                "a": {},
                "python-sandbox": {"command": "x"}
              }
            }
            """);
        assertEquals(0, run("mcp-config", "cursor", "--remove", "--to", json.toString()), text(err));
        assertEquals("""
            {
              // mine
              "mcpServers": {
                "a": {}
              }
            }
            """, Files.readString(json));
        assertTrue(Files.exists(folder.resolve("mcp.json.bak")));
        assertEquals("removed from " + json + "\n", text(out));
        out.reset();
        assertEquals(0, run("mcp-config", "cursor", "--remove", "--to", json.toString()));
        assertEquals("not in " + json + "\n", text(out));
    }

    @Test
    void aTableIsRemovedFromTheSettings(@TempDir Path folder) throws IOException {
        Path toml = Files.writeString(folder.resolve("config.toml"), """
            a = 1

            [mcp_servers.python-sandbox]
            command = "x"

            [mcp_servers.python-sandbox.env]
            A = "1"

            [b]
            c = 2
            """);
        assertEquals(0, run("mcp-config", "codex", "--remove", "--to", toml.toString()), text(err));
        assertEquals("""
            a = 1

            [b]
            c = 2
            """, Files.readString(toml));
    }

    @ParameterizedTest
    @ValueSource(strings = {"--from", "--to"})
    void aLauncherInAnotherFolderIsDeleted(String option, @TempDir Path folder) throws IOException {
        Path launcher = folder.resolve("python-sandbox");
        Files.writeString(launcher, "#!/bin/sh\n# Starts python-sandbox. Written by its command install\n");
        String cache = folder.resolve("cache").toString();
        assertEquals(0, run("uninstall", option, folder.toString(), "--cache-dir", cache), text(err));
        assertEquals("deleted: " + launcher + "\n", text(out));
        assertTrue(Files.notExists(launcher));
    }

    @Test
    void fishIsOfferedCommandsOptionsAndWords() {
        run("completion", "fish");
        assertTrue(text(out).contains("-a validate "));
        assertTrue(text(out).contains("-l network -x -a 'none internet host'"));
        assertTrue(text(out).contains("'__fish_seen_subcommand_from mcp-config' -a 'claude-code "));
    }

    @Test
    void cleanCountsAHardLinkOnce(@TempDir Path cache) throws IOException {
        Path file = Files.createDirectories(cache.resolve("install")).resolve("a");
        Files.writeString(file, "12345");
        Files.createLink(Files.createDirectories(cache.resolve("environments")).resolve("b"), file);
        assertEquals(0, run("clean", "--cache-dir", cache.toString()));
        assertTrue(text(out).endsWith("freed 5 bytes in " + cache + "\n"), text(out));
        assertTrue(Files.notExists(cache));
    }

    @Test
    void cleanStopsIfAServerRefillsTheFolder(@TempDir Path cache) throws IOException {
        Files.createDirectories(cache.resolve("environments/a"));
        Files.createDirectories(cache.resolve("install/b")); // as if created after the folder was listed
        assertFalse(CleanCommand.delete(cache, Set.of("environments"), true));
        assertTrue(CleanCommand.delete(cache, Set.of("install"), true));
        assertTrue(Files.notExists(cache));
    }

    private int run(String... arguments) {
        Terminal terminal = Terminal.plain(
                new ByteArrayInputStream(new byte[0]),
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8));
        return Main.run(arguments, terminal, new ShutdownHook());
    }

    private static String text(ByteArrayOutputStream stream) {
        return stream.toString(StandardCharsets.UTF_8);
    }
}
