package dev.pysandbox;

import dev.pysandbox.Main.Console;
import dev.pysandbox.mcp.Wording;
import dev.pysandbox.run.PythonSandbox;
import dev.pysandbox.run.ValidationReport;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Checks one script without running it. */
@Command(
        name = "validate",
        mixinStandardHelpOptions = true,
        usageHelpAutoWidth = true,
        sortOptions = false,
        description =
                "Checks a script's metadata, syntax and imports without running it; ends with 1 if it is invalid.")
final class ValidateCommand implements Callable<Integer> {
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

    @Mixin
    private SandboxOptions options = new SandboxOptions();

    private final Console console;
    private final Cleanup cleanup;

    ValidateCommand(Console console, Cleanup cleanup) {
        this.console = console;
        this.cleanup = cleanup;
    }

    @Override
    public Integer call() throws IOException {
        String script = ScriptArgument.read(code, file, console.in());
        PythonSandbox sandbox = PythonSandbox.open(options.config());
        cleanup.register(sandbox);
        ValidationReport report = sandbox.validate(script, dependencies);
        console.out().println(Wording.of(report).stripTrailing());
        return report.valid() ? 0 : 1;
    }
}
