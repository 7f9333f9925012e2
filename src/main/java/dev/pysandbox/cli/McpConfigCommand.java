package dev.pysandbox.cli;

import dev.pysandbox.cli.clients.JsonSettings;
import dev.pysandbox.cli.clients.McpClient;
import dev.pysandbox.cli.clients.TomlSettings;
import dev.pysandbox.mcp.tools.ReportText;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

/** Tells an MCP client about this server. */
@Command(
        name = "mcp-config",
        description = {
            "Prints the entry by which an MCP client starts this server, or writes it into the client's settings.",
            "Sandbox options that are given become part of it."
        },
        footer = {
            "",
            "Examples:",
            "  python-sandbox mcp-config cursor",
            "  python-sandbox mcp-config claude-code --write --network none --max-memory 1g"
        })
final class McpConfigCommand implements Callable<Integer> {
    /** What keeps the server small, and quick to start. */
    static final List<String> JVM_FLAGS = List.of(
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-Xms8m",
            "-Xmx256m",
            "-XX:MinHeapFreeRatio=10",
            "-XX:MaxHeapFreeRatio=20",
            "-XX:-ShrinkHeapInSteps");

    private static final String NAME = "python-sandbox";
    private static final Set<String> PATHS = Set.of("--mount", "--keep-files", "--cache-dir");

    @Parameters(
            paramLabel = "CLIENT",
            description = "claude-code, claude-desktop, cursor, codex, vscode, gemini or opencode.")
    private McpClient client = McpClient.CLAUDE_CODE;

    @Option(
            names = "--write",
            description = "Put it into the client's settings; the rest of the file stays, and a copy of it as *.bak.")
    private boolean write;

    @Option(
            names = "--to",
            paramLabel = "FILE",
            description = "Another file than the user's own, such as that of a project.")
    private @Nullable Path target;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    private final CommandContext invocation;

    McpConfigCommand(CommandContext invocation) {
        this.invocation = invocation;
    }

    @Override
    public Integer call() throws IOException {
        invocation.options().builder().config(); // refuses what the server would refuse
        Map<String, Object> entry = client.entry(command());
        Path file = target != null
                ? target.toAbsolutePath()
                : client.file(home(), System.getenv(), System.getProperty("os.name", ""));
        if (!write) {
            invocation.console().out().println(snippet(entry));
            if (invocation.console().outIsTerminal()) {
                invocation.console().err().println("It belongs into " + file + "; --write puts it there.");
            }
            return 0;
        }
        boolean changed = merge(file, entry);
        invocation.console().out().println(changed ? "written: " + file : "already there: " + file);
        return 0;
    }

    /** As the clients find it: the variable may differ from what Java takes from the user's account. */
    private static Path home() {
        String variable = Optional.ofNullable(System.getenv("HOME")).orElse("");
        return Path.of(variable.startsWith("/") ? variable : System.getProperty("user.home", ""));
    }

    private List<String> command() {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home", ""), "bin", "java").toString());
        command.addAll(JVM_FLAGS);
        command.add("-jar");
        command.add(jar().toString());
        command.addAll(sandboxOptions());
        return command;
    }

    private static Path jar() {
        try {
            Path place = Path.of(Main.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
            if (Files.isRegularFile(place)) {
                return place.toRealPath();
            }
        } catch (URISyntaxException | IOException e) {
            throw new IllegalStateException("the JAR can't be found", e);
        }
        throw new IllegalArgumentException("mcp-config only works from the JAR, for it writes the JAR's path");
    }

    /** The shared options that were given, before or after the command's name. */
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
        return name + "="
                + (PATHS.contains(name) ? Path.of(value).toAbsolutePath().normalize() : value);
    }

    private String snippet(Map<String, Object> entry) {
        return client.usesToml()
                ? TomlSettings.table(client.section(), NAME, entry).stripTrailing()
                : ReportText.json(Map.of(client.section(), Map.of(NAME, entry)));
    }

    private boolean merge(Path file, Map<String, Object> entry) throws IOException {
        // Settings are often links into a folder that is kept elsewhere.
        Path real = Files.exists(file) ? file.toRealPath() : file;
        String before = Files.exists(real) ? Files.readString(real) : "";
        String after;
        try {
            after = client.usesToml()
                    ? TomlSettings.put(before, client.section(), NAME, entry)
                    : JsonSettings.put(before, client.section(), NAME, entry);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(file + " was left as it is: " + e.getMessage(), e);
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
