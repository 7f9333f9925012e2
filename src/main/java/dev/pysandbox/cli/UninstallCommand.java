package dev.pysandbox.cli;

import dev.pysandbox.cli.launcher.ClassArchive;
import dev.pysandbox.cli.launcher.Launcher;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Deletes what {@link InstallCommand} has written. */
@Command(
        name = "uninstall",
        description = {
            "Deletes the script that install has written, and the archives of classes in the cache folder.",
            "To delete the whole cache, use clean."
        })
final class UninstallCommand implements Callable<Integer> {
    @Option(
            names = {"--from", "--to"},
            paramLabel = "DIR",
            description = "The folder of the script (default: ~/.local/bin).")
    private @Nullable Path folder;

    private final CommandContext context;

    UninstallCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() throws IOException {
        Path cache = context.options().builder().config().cache().folder();
        Launcher launcher = InstallCommand.launcher(folder);
        boolean deleted = launcher.delete();
        ClassArchive.deleteAll(cache);
        context.terminal()
                .out()
                .println((deleted ? "deleted: " : "not installed: ")
                        + launcher.file()
                        + (deleted || folder != null ? "" : "; --from DIR names another folder"));
        return 0;
    }
}
