package dev.pysandbox.cli;

import dev.pysandbox.api.Config;
import dev.pysandbox.cli.launcher.ClassArchive;
import dev.pysandbox.cli.launcher.JavaCommand;
import dev.pysandbox.cli.launcher.Launcher;
import dev.pysandbox.support.Platform;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Writes the launcher script and the archive of classes that it uses. */
@Command(
        name = "install",
        description = {
            "Writes the script python-sandbox, which starts this JAR, to ~/.local/bin, or to --to DIR.",
            "It starts faster than java -jar, because it uses an archive of the loaded classes in the cache folder."
        },
        footer = {
            "",
            "Examples:",
            "  java -jar sandbox.jar install",
            "  java -jar sandbox.jar install --to /usr/local/bin"
        })
final class InstallCommand implements Callable<Integer> {
    @Option(
            names = "--to",
            paramLabel = "DIR",
            description = "Write the script to this folder (default: ~/.local/bin).")
    private @Nullable Path folder;

    private final CommandContext context;

    InstallCommand(CommandContext context) {
        this.context = context;
    }

    /** Returns the launcher in a folder, by default ~/.local/bin. */
    static Launcher launcher(@Nullable Path folder) {
        if (Platform.Os.current() == Platform.Os.WINDOWS) {
            throw new IllegalArgumentException("the launcher is a shell script, which Windows can't run");
        }
        return Launcher.in(
                folder != null
                        ? folder
                        : CommandContext.home().resolve(".local").resolve("bin"));
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        Config config = context.options().builder().config();
        JavaCommand java = JavaCommand.current();
        ClassArchive archive = ClassArchive.in(config.cache().folder(), java);
        Launcher launcher = launcher(folder);
        launcher.write(java, archive);
        context.terminal().out().println("written: " + launcher.file());
        try {
            archive.refresh(ArchiveTraining.class, ArchiveTraining.options(config));
        } catch (IOException e) {
            context.terminal().err().println("python-sandbox: no archive of classes was written: " + e.getMessage());
        }
        String path = Optional.ofNullable(System.getenv("PATH")).orElse("");
        if (!List.of(path.split(":", -1))
                .contains(launcher.file().resolveSibling("").toString())) {
            context.terminal().err().println("Add " + launcher.file().resolveSibling("") + " to PATH.");
        }
        return 0;
    }
}
