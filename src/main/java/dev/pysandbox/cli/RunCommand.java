package dev.pysandbox.cli;

import dev.pysandbox.api.Config;
import dev.pysandbox.api.Config.Policy;
import dev.pysandbox.api.ExecutionRequest;
import dev.pysandbox.api.ExecutionResult;
import dev.pysandbox.api.LimitSettings;
import dev.pysandbox.api.PythonSandboxBuilder;
import dev.pysandbox.api.Status;
import dev.pysandbox.cli.terminal.HintWords;
import dev.pysandbox.cli.terminal.LiveOutput;
import dev.pysandbox.cli.terminal.Terminal;
import dev.pysandbox.cli.terminal.WrittenFiles;
import dev.pysandbox.execution.LocalPythonSandbox;
import dev.pysandbox.mcp.tools.ReportText;
import dev.pysandbox.support.ByteSize;
import dev.pysandbox.support.Folders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Runs one script, with live output and the script's exit code. */
@Command(
        name = "run",
        description = "Runs one script with live output; the exit code is the script's own.",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0-255:the script's own; 128 + N if signal N killed it",
            "1:internal error",
            "2:wrong options: nothing was run",
            "124:timeout",
            "125:the script could not be run: invalid metadata, failed installation, no sandbox; or it"
                    + " succeeded, but a file could not be written to --out",
            "130:stopped by Ctrl-C",
            "141:the reader of the output closed it"
        },
        footer = {
            "",
            "Examples:",
            "  python-sandbox run \"print(6 * 7)\"",
            "  python-sandbox run -d rich==14.2.0 \"from rich import print; print('[bold]hi[/]')\"",
            "  python-sandbox run analysis.py -t 120 --mount ./data --network none --out results",
            "  python-sandbox run --policy restricted -v x \"x = sum(range(10))\""
        })
final class RunCommand extends ResultCommand {
    private static final int TIME_WAS_UP = 124;
    private static final int COULD_NOT_RUN = 125;
    private static final int COULD_NOT_WRITE = COULD_NOT_RUN;
    private static final int OUTPUT_CLOSED = 141; // as after SIGPIPE

    @Mixin
    private ScriptArgument script = new ScriptArgument();

    @Option(
            names = {"-t", "--timeout"},
            paramLabel = "SECONDS",
            description = "Timeout of the script, at most --max-timeout.")
    private @Nullable Integer timeout;

    @Option(
            names = {"-m", "--memory"},
            paramLabel = "SIZE",
            converter = Commands.SizeConverter.class,
            description = "Memory for the script, at most --max-memory.")
    private @Nullable ByteSize memory;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "BYTES",
            description = "Bytes to show of each stream, at most --max-output-bytes.")
    private @Nullable Long output;

    @Option(
            names = {"-v", "--variable"},
            paramLabel = "NAME",
            description = "Print this variable after the script has ended; repeatable.")
    private List<String> variables = new ArrayList<>();

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "Write the files and plots of the script to this folder.")
    private @Nullable Path out;

    RunCommand(CommandContext context) {
        super(context);
    }

    /** Runs a script without picocli. */
    static int run(FastPathArguments arguments, Terminal terminal, ShutdownHook shutdownHook) {
        CommandContext context = new CommandContext(terminal, shutdownHook, new SandboxOptions(arguments));
        RunCommand command = new RunCommand(context);
        command.script = ScriptArgument.of(arguments.script().orElseThrow());
        try {
            return command.call();
        } catch (IOException | RuntimeException e) {
            return Commands.exitCode(e, context);
        }
    }

    @Override
    public Integer call() throws IOException {
        PythonSandboxBuilder builder = context.options().builder();
        Config config = config(builder);
        if (out == null) {
            return run(config);
        }
        if (config.shared().keepFiles().isPresent()) {
            throw new IllegalArgumentException("give either --out or --keep-files, not both");
        }
        Path kept = Files.createTempDirectory(Files.createDirectories(out), ".python-sandbox-");
        try {
            return run(builder.keepFiles(kept).config());
        } finally {
            delete(kept);
        }
    }

    /** Deletes what is left of the kept files; a failure must not replace the exit code of the script. */
    private void delete(Path kept) {
        try {
            Folders.delete(kept);
        } catch (IOException e) {
            say(kept + " can't be deleted: " + e.getMessage());
        }
    }

    private int run(Config config) throws IOException {
        ExecutionRequest request = ExecutionRequest.of(
                        script.read(context.terminal().in()))
                .withDependencies(script.dependencies())
                .withVariables(variables);
        if (timeout != null) {
            request = request.withTimeout(Duration.ofSeconds(timeout));
        }
        boolean bounded = output != null || config.limits().policy() == Policy.RESTRICTED;
        LiveOutput live = new LiveOutput(
                context.terminal(),
                !json,
                bounded ? config.limits().maxOutputBytes() : Long.MAX_VALUE / 4,
                Thread.currentThread());
        LocalPythonSandbox sandbox = context.open(config, CommandContext.STOPPED);
        sandbox.chooseBackend();
        ExecutionResult result = execute(sandbox, request, live);
        if (live.broken() || context.shutdownHook().begun()) {
            return OUTPUT_CLOSED;
        }
        int code = exitCode(result);
        Optional<WrittenFiles> written;
        try {
            written = out == null ? Optional.empty() : Optional.of(WrittenFiles.move(result.files(), out));
        } catch (IOException | InvalidPathException e) {
            show(result);
            say("the files can't be written to " + out + ": " + e.getMessage());
            return code != 0 ? code : COULD_NOT_WRITE;
        }
        // The JSON names the final paths of the files.
        show(written.filter(files -> json).map(files -> files.in(result)).orElse(result));
        written.map(WrittenFiles::lines)
                .orElseGet(() -> notWritten(result, config))
                .forEach(this::say);
        return code != 0 || written.map(WrittenFiles::complete).orElse(true) ? code : COULD_NOT_WRITE;
    }

    private static ExecutionResult execute(LocalPythonSandbox sandbox, ExecutionRequest request, LiveOutput live) {
        try {
            return sandbox.execute(request, live);
        } finally {
            live.finish();
        }
    }

    /** Returns the settings for this run, with the limits lowered to those of the command. */
    private Config config(PythonSandboxBuilder builder) {
        LimitSettings most = builder.config().limits();
        if (timeout != null) {
            within(
                    timeout >= 1 && timeout <= most.maxTimeout().toSeconds(),
                    "-t",
                    "1 to --max-timeout",
                    timeout,
                    most.maxTimeout().toSeconds());
        }
        if (memory != null) {
            ByteSize allowed = isFixed(most, "maxMemory")
                    ? most.maxMemory()
                    : most.policy().mostMemory();
            within(memory.compareTo(allowed) <= 0, "-m", "at most --max-memory", memory, allowed);
            builder.maxMemory(memory);
        }
        if (output != null) {
            long allowed = isFixed(most, "maxOutputBytes")
                    ? most.maxOutputBytes()
                    : most.policy().mostOutputBytes();
            within(output <= allowed, "-o", "at most --max-output-bytes", output, allowed);
            builder.maxOutputBytes(output);
        }
        return builder.config();
    }

    /** Returns whether a script may not exceed a limit; the defaults of the restricted policy may be exceeded. */
    private boolean isFixed(LimitSettings most, String property) {
        return most.policy() == Policy.OPEN || context.options().isGiven(property);
    }

    private static void within(boolean holds, String option, String bounds, Object given, Object most) {
        if (!holds) {
            throw new IllegalArgumentException(option + " must be " + bounds + " (" + most + "), got " + given);
        }
    }

    private void say(String message) {
        context.terminal().err().println("python-sandbox: " + ReportText.line(message));
    }

    /** Says which files of the script are not kept. */
    private List<String> notWritten(ExecutionResult result, Config config) {
        return json || config.shared().keepFiles().isPresent() ? List.of() : WrittenFiles.names(result.files());
    }

    private void show(ExecutionResult result) {
        Terminal terminal = context.terminal();
        if (json) {
            terminal.out().println(ReportText.json(result));
            return;
        }
        ReportText.variables(result).forEach(terminal.out()::println);
        terminal.out().flush();
        result.warnings()
                .forEach(warning -> terminal.err().println("python-sandbox: warning: " + ReportText.line(warning)));
        result.message().stream()
                .flatMap(String::lines)
                .forEach(line -> terminal.err().println("python-sandbox: " + ReportText.line(line)));
        result.hint()
                .map(HintWords::of)
                .map(text -> result.timedOut() ? "timed out: " + text : text)
                .ifPresent(text -> terminal.err().println("python-sandbox: " + ReportText.line(text)));
    }

    private static int exitCode(ExecutionResult result) {
        if (result.status() == Status.TIMED_OUT) {
            return TIME_WAS_UP;
        }
        return result.status().preventedRun()
                ? COULD_NOT_RUN
                : result.exitCode().orElse(COULD_NOT_RUN);
    }
}
