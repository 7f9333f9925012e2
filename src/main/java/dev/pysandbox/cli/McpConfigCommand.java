package dev.pysandbox.cli;

import dev.pysandbox.api.Config;
import dev.pysandbox.cli.clients.JsonSettings;
import dev.pysandbox.cli.clients.McpClient;
import dev.pysandbox.cli.clients.TomlSettings;
import dev.pysandbox.cli.launcher.ClassArchive;
import dev.pysandbox.cli.launcher.JavaCommand;
import dev.pysandbox.mcp.tools.ReportText;
import dev.pysandbox.support.Platform;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

/** Prints or writes the entry of this server for an MCP client. */
@Command(
        name = "mcp-config",
        description = {
            "Prints the entry with which an MCP client starts this server, or writes it to the client's settings.",
            "The entry includes the sandbox options given here."
        },
        footer = {
            "",
            "Examples:",
            "  python-sandbox mcp-config cursor",
            "  python-sandbox mcp-config claude-code --write --network none --max-memory 1g",
            "  python-sandbox mcp-config claude-code --remove"
        })
final class McpConfigCommand implements Callable<Integer> {
    private static final String NAME = "python-sandbox";

    @Parameters(
            paramLabel = "CLIENT",
            description = "claude-code, claude-desktop, cursor, codex, vscode, gemini or opencode.")
    private McpClient client = McpClient.CLAUDE_CODE;

    @Option(
            names = "--write",
            description = "Write the entry to the client's settings; keeps the rest of the file, and a copy as *.bak.")
    private boolean write;

    @Option(
            names = "--remove",
            description =
                    "Remove the entry from the client's settings; keeps the rest of the file, and a copy as *.bak.")
    private boolean remove;

    @Option(
            names = "--to",
            paramLabel = "FILE",
            description = "Use this settings file, such as that of a project, instead of the user's.")
    private @Nullable Path target;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    private final CommandContext context;

    McpConfigCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() throws IOException {
        if (context.options().isGiven("http")) {
            throw new IllegalArgumentException("mcp-config writes entries for stdio only: leave out "
                    + context.options().nameOf("http") + ", and give the client the URL of the server");
        }
        Config config = context.options().builder().config(); // fails for options that the server would refuse
        Path file = target != null
                ? target.toAbsolutePath()
                : client.file(CommandContext.home(), System.getenv(), Platform.Os.current());
        if (remove) {
            boolean changed = edit(file, this::without);
            context.terminal().out().println(changed ? "removed from " + file : "not in " + file);
            return 0;
        }
        Map<String, Object> entry = client.entry(command(config.cache().folder()));
        if (!write) {
            context.terminal().out().println(snippet(entry));
            if (context.terminal().outIsTerminal()) {
                context.terminal().err().println("Add this to " + file + ", or use --write.");
            }
            return 0;
        }
        boolean changed = edit(file, before -> with(before, entry));
        context.terminal().out().println(changed ? "written: " + file : "already there: " + file);
        return 0;
    }

    private List<String> command(Path cache) {
        JavaCommand java = JavaCommand.current();
        List<String> command = new ArrayList<>(java.program(ClassArchive.in(cache, java)));
        command.add("-jar");
        command.add(java.jar().toString());
        command.addAll(sandboxOptions());
        return command;
    }

    /** Returns the shared options given before or after the name of the command. */
    private List<String> sandboxOptions() {
        Map<String, List<String>> given = new LinkedHashMap<>();
        for (ParseResult parsed : List.of(
                spec.root().commandLine().getParseResult(), spec.commandLine().getParseResult())) {
            for (OptionSpec option : parsed.matchedOptions()) {
                if (spec.root().findOption(option.longestName()) != null) {
                    given.put(option.longestName(), option.originalStringValues());
                }
            }
        }
        List<String> arguments = new ArrayList<>();
        given.forEach((name, values) -> values.forEach(value -> arguments.add(argument(name, value))));
        return arguments;
    }

    private String argument(String name, String value) {
        if (spec.root().findOption(name).arity().max() == 0) {
            return name;
        }
        // A client starts the server in a folder that it chooses.
        return name + "=" + (namesFiles(name) ? Path.of(value).toAbsolutePath().normalize() : value);
    }

    private boolean namesFiles(String name) {
        return context.options().all().stream().anyMatch(option -> option.name().equals(name) && option.namesFiles());
    }

    private String snippet(Map<String, Object> entry) {
        return client.usesToml()
                ? TomlSettings.table(client.section(), NAME, entry).stripTrailing()
                : ReportText.json(Map.of(client.section(), Map.of(NAME, entry)));
    }

    private String with(String before, Map<String, Object> entry) {
        return client.usesToml()
                ? TomlSettings.put(before, client.section(), NAME, entry)
                : JsonSettings.put(before, client.section(), NAME, entry);
    }

    private String without(String before) {
        return client.usesToml()
                ? TomlSettings.remove(before, client.section(), NAME)
                : JsonSettings.remove(before, client.section(), NAME);
    }

    private boolean edit(Path file, UnaryOperator<String> change) throws IOException {
        // A settings file is often a link: replace its target.
        Path real = Files.exists(file) ? file.toRealPath() : file;
        String before = Files.exists(real) ? Files.readString(real) : "";
        String after;
        try {
            after = change.apply(before);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(file + " was not changed: " + e.getMessage(), e);
        }
        if (after.equals(before)) {
            return false;
        }
        replace(real, after);
        return true;
    }

    /** Replaces the file atomically: a reader sees the old one or the new one. */
    private static void replace(Path file, String text) throws IOException {
        Path folder = Files.createDirectories(file.toAbsolutePath().getParent());
        Path fresh = Files.createTempFile(folder, ".python-sandbox-", ".tmp");
        try {
            if (Files.exists(file)) {
                Path backup = file.resolveSibling(file.getFileName() + ".bak");
                Files.copy(file, backup, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.COPY_ATTRIBUTES);
                Files.copy(file, fresh, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.COPY_ATTRIBUTES);
            }
            Files.writeString(fresh, text);
            Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(fresh);
        }
    }
}
