package dev.pysandbox.cli.terminal;

import dev.pysandbox.api.ProducedFile;
import dev.pysandbox.support.ByteSize;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** Moves the files that a script wrote to the folder that the user chose. Their names come from the script. */
public final class WrittenFiles {
    private static final int MOST_NAMED = 10;

    private WrittenFiles() {}

    /**
     * Moves kept files into a folder. A script must not change the user's own settings, so files and folders whose name
     * starts with a dot are left out, and a link is never followed.
     *
     * @param lines receives a line for each file
     * @return whether all that are not left out were kept
     */
    public static boolean move(List<ProducedFile> files, Path folder, Consumer<String> lines) throws IOException {
        Path root = Files.createDirectories(folder).toRealPath();
        boolean kept = true;
        for (ProducedFile file : files) {
            String name = inside(file.name());
            Path target = root.resolve(name).normalize();
            if (!target.startsWith(root) || target.equals(root)) {
                lines.accept("not written: " + file.name() + " (its name leads out of the folder)");
            } else if (isHidden(root.relativize(target))) {
                lines.accept("not written: " + file.name() + " (hidden)");
            } else if (file.kept().isEmpty()) {
                lines.accept("not written: " + file.name() + " (too large, or see the warning)");
                kept = false;
            } else {
                lines.accept(
                        write(file.kept().get(), root, target)
                                ? "written: " + folder.resolve(name)
                                : "not written: " + file.name() + " (another kind of file has this name)");
            }
        }
        return kept;
    }

    /** Names the files of a script that are not kept. */
    public static List<String> names(List<ProducedFile> files) {
        if (files.isEmpty()) {
            return List.of();
        }
        String names = files.stream()
                .limit(MOST_NAMED)
                .map(file -> file.name() + " (" + new ByteSize(file.size()).readable() + ")")
                .collect(Collectors.joining(", "));
        String more = files.size() > MOST_NAMED ? " and " + (files.size() - MOST_NAMED) + " more" : "";
        return List.of("the script wrote " + names + more + "; --out DIR keeps " + (files.size() == 1 ? "it" : "them"));
    }

    /** The path of a file outside of the working folder becomes a path in the folder. */
    private static String inside(String name) {
        return name.startsWith("/") ? name.substring(1) : name;
    }

    private static boolean isHidden(Path relative) {
        for (Path part : relative) {
            if (part.toString().startsWith(".")) {
                return true;
            }
        }
        return false;
    }

    private static boolean write(Path kept, Path root, Path target) throws IOException {
        try {
            Path parent = Files.createDirectories(target.getParent()).toRealPath();
            if (!parent.equals(target.getParent()) || !parent.startsWith(root)) {
                return false; // a link in between
            }
        } catch (FileAlreadyExistsException e) {
            return false;
        }
        if (Files.exists(target, LinkOption.NOFOLLOW_LINKS)
                && !Files.isRegularFile(target, LinkOption.NOFOLLOW_LINKS)) {
            return false;
        }
        Files.move(kept, target, StandardCopyOption.REPLACE_EXISTING);
        return true;
    }
}
