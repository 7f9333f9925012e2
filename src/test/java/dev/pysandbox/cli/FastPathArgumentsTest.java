package dev.pysandbox.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pysandbox.cli.terminal.Terminal;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.ParseResult;

/** Checks that the parser accepts all arguments that the fast path accepts. */
class FastPathArgumentsTest {
    private static final List<String> VALUES = List.of(
            "",
            "-",
            "--",
            "0",
            "2",
            "99",
            "100",
            "1000000000000",
            "-1",
            "+1",
            "3.13",
            "3.14",
            "3.",
            "3.x",
            "3.13.2",
            "4.1",
            "warn",
            "native",
            "NATIVE",
            "docker",
            "none",
            "internet",
            "host",
            "/",
            "/tmp",
            "/tmp/a b",
            "relative",
            "/\0",
            "run",
            "validate",
            "--help",
            "@file",
            "@/tmp/x",
            "\"/x\"",
            "=");

    private static final List<String> OPTIONS = List.of(
            "--cache-dir",
            "--uv-path",
            "--sandbox-backend",
            "--network",
            "--warm-pool",
            "--max-concurrent",
            "--python-version",
            "--max-timeout",
            "--env",
            "--mount",
            "--no-warm-cache",
            "--require-sandbox",
            "--log-level",
            "-h",
            "run");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "--cache-dir /tmp/x",
                "--no-warm-cache --cache-dir /tmp/x --warm-pool 0",
                "--no-warm-cache --cache-dir=/tmp/x --warm-pool=0 --max-concurrent=4 --log-level debug",
                "run x=1",
                "--network none run --cache-dir=/tmp/x x",
                "--sandbox-backend none --network host --python-version 3.14 --uv-path /usr/bin/uv --require-sandbox",
            })
    void isCertainOfWhatClientsUse(String line) {
        String[] args = line.isEmpty() ? new String[0] : line.split(" ", -1);
        assertTrue(FastPathArguments.of(args, Set.of("PATH", "HOME")).isPresent());
        assertAccepted(args);
        assertFalse(FastPathArguments.of(args, Set.of("PATH", "PYTHON_SANDBOX_NETWORK"))
                .isPresent());
    }

    @Test
    void isCertainOnlyOfWhatTheParserAccepts() {
        int certain = 0;
        for (String option : OPTIONS) {
            for (String value : VALUES) {
                for (String[] args : List.of(
                        new String[] {option, value},
                        new String[] {option + "=" + value},
                        new String[] {"--no-warm-cache", option, value, "--cache-dir", "/x"},
                        new String[] {"--network", option, value},
                        new String[] {"run", option, value},
                        new String[] {option, value, "run", "x"})) {
                    if (FastPathArguments.of(args, Set.of()).isPresent()) {
                        certain++;
                        assertAccepted(args);
                    }
                }
            }
        }
        assertTrue(certain > 10);
    }

    /** The settings and the script must be those that the parser finds. */
    private static void assertAccepted(String[] args) {
        FastPathArguments fast = FastPathArguments.of(args, Set.of()).orElseThrow();
        Terminal terminal = Terminal.plain(
                InputStream.nullInputStream(),
                new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8),
                new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8));
        CommandContext context = new CommandContext(terminal, new ShutdownHook(), new SandboxOptions());
        ParseResult parsed = Commands.of(context).parseArgs(args);
        assertEquals(fast.script().isPresent(), parsed.hasSubcommand(), () -> String.join(" ", args));
        ParseResult last = parsed.hasSubcommand() ? parsed.subcommand() : parsed;
        assertEquals(fast.script(), Optional.ofNullable(last.matchedPositionalValue(0, null)));
        assertEquals(List.of(), last.unmatched());
        assertFalse(last.isUsageHelpRequested() || last.isVersionHelpRequested());
        assertEquals(
                context.options().builder().config(),
                new SandboxOptions(fast).builder().config());
    }
}
