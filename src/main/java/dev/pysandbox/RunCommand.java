package dev.pysandbox;

import dev.pysandbox.Main.Console;
import dev.pysandbox.run.ExecutionListener;
import dev.pysandbox.run.ExecutionRequest;
import dev.pysandbox.run.ExecutionResult;
import dev.pysandbox.run.PythonSandbox;
import dev.pysandbox.run.Status;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Runs one script, with live output and the script's exit code. */
@Command(
        name = "run",
        mixinStandardHelpOptions = true,
        usageHelpAutoWidth = true,
        sortOptions = false,
        description = "Runs one script and ends with its exit code; 124 if its time was up, 125 if it could not run.")
final class RunCommand implements Callable<Integer> {
    private static final int TIME_WAS_UP = 124;
    private static final int COULD_NOT_RUN = 125;

    @Parameters(paramLabel = "CODE", arity = "0..1", description = "The script itself, or - to read it from stdin.")
    private @Nullable String code;

    @Option(
            names = {"-f", "--file"},
            paramLabel = "FILE",
            description = "Read the script from this file.")
    private @Nullable Path file;

    @Option(
            names = {"-d", "--dependency"},
            paramLabel = "DEP",
            description = "A dependency, such as rich==14.2.0; repeatable.")
    private List<String> dependencies = new ArrayList<>();

    @Option(
            names = {"-t", "--timeout"},
            paramLabel = "SECONDS",
            description = "Time for the script.")
    private @Nullable Integer timeout;

    @Mixin
    private SandboxOptions options = new SandboxOptions();

    private final Console console;
    private final Cleanup cleanup;

    RunCommand(Console console, Cleanup cleanup) {
        this.console = console;
        this.cleanup = cleanup;
    }

    @Override
    public Integer call() throws IOException {
        ExecutionRequest request = ExecutionRequest.of(ScriptArgument.read(code, file, console.in()))
                .withDependencies(dependencies);
        if (timeout != null) {
            request = request.withTimeout(Duration.ofSeconds(timeout));
        }
        PythonSandbox sandbox = PythonSandbox.open(options.config());
        cleanup.register(sandbox);
        ExecutionResult result = sandbox.execute(request, new LiveOutput(console));
        console.out().flush();
        result.warnings().forEach(warning -> console.err().println("python-sandbox: warning: " + warning));
        result.message().or(result::hint).ifPresent(text -> console.err().println("python-sandbox: " + text));
        return result.status() == Status.TIMED_OUT
                ? TIME_WAS_UP
                : result.status().preventedRun()
                        ? COULD_NOT_RUN
                        : result.exitCode().orElse(COULD_NOT_RUN);
    }

    /** Writes what the script writes, as it comes. */
    private record LiveOutput(Console console) implements ExecutionListener {
        @Override
        public void output(Stream stream, byte[] bytes) {
            PrintStream target = stream == Stream.STDOUT ? console.out() : console.err();
            target.write(bytes, 0, bytes.length);
            target.flush();
        }

        @Override
        public boolean wantsLiveOutput() {
            return true;
        }
    }
}
