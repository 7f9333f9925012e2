package dev.pysandbox.cli.terminal;

import dev.pysandbox.api.ExecutionResult;
import dev.pysandbox.api.ProducedFile;
import dev.pysandbox.support.ByteSize;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The files that a script wrote, moved to the folder that the user chose. Their names come from the script.
 *
 * @param files the files with their final paths; a file that was not written has none
 * @param lines a line for each file
 * @param complete whether all that are not left out were kept
 */
public record WrittenFiles(List<ProducedFile> files, List<String> lines, boolean complete) {
    private static final String REFUSED = "not written: ";
    private static final String NOT_KEPT = "too large, or see the warning";
    private static final int MOST_NAMED = 10;

    /**
     * Moves kept files into a folder. A script must not change the user's own settings, so files and folders whose name
     * starts with a dot are left out, and a link is never followed.
     */
    public static WrittenFiles move(List<ProducedFile> files, Path folder) throws IOException {
        Path root = Files.createDirectories(folder).toRealPath();
        List<ProducedFile> moved = new ArrayList<>();
        List<String> lines = new ArrayList<>();
        boolean complete = true;
        for (ProducedFile file : files) {
            String name = inside(file.name());
            Path target = root.resolve(name).normalize();
            Optional<String> reason = moveOrRefuse(file, root, target);
            complete &= !reason.equals(Optional.of(NOT_KEPT));
            moved.add(withPath(file, reason.isEmpty() ? Optional.of(target) : Optional.empty()));
            lines.add(reason.map(why -> REFUSED + file.name() + " (" + why + ")")
                    .orElseGet(() -> "written: " + folder.resolve(name)));
        }
        return new WrittenFiles(moved, lines, complete);
    }

    /** Returns a result with the final paths, and with a warning for each file that was not written. */
    public ExecutionResult in(ExecutionResult result) {
        return result.with(
                files,
                Stream.concat(result.warnings().stream(), lines.stream().filter(line -> line.startsWith(REFUSED)))
                        .toList());
    }

    /** Moves a file, or returns why it may not be written. */
    private static Optional<String> moveOrRefuse(ProducedFile file, Path root, Path target) throws IOException {
        if (!target.startsWith(root) || target.equals(root)) {
            return Optional.of("its name leads out of the folder");
        }
        if (file.name().chars().anyMatch(Character::isISOControl)) {
            return Optional.of("its name has control characters");
        }
        if (isHidden(root.relativize(target))) {
            return Optional.of("hidden");
        }
        if (file.kept().isEmpty()) {
            return Optional.of(NOT_KEPT);
        }
        return write(file.kept().get(), root, target)
                ? Optional.empty()
                : Optional.of("another kind of file has this name");
    }

    private static ProducedFile withPath(ProducedFile file, Optional<Path> path) {
        return new ProducedFile(file.name(), file.mimeType(), file.size(), file.sha256(), file.content(), path);
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
        Path above = root;
        for (Path part : root.relativize(target.getParent())) {
            above = above.resolve(part);
            if (Files.exists(above, LinkOption.NOFOLLOW_LINKS)
                    && !Files.isDirectory(above, LinkOption.NOFOLLOW_LINKS)) {
                return false; // nothing is created beyond a link
            }
        }
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
