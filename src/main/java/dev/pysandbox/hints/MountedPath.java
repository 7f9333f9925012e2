package dev.pysandbox.hints;

import dev.pysandbox.api.Config;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A name with which a script looked for a file of a mounted folder: with or without the folder's own name, in the working
 * folder or in {@code /data}.
 */
record MountedPath(Config.DataFolder folder, String name) {
    /** Returns the path of the file in the sandbox, if the folder has it. */
    Optional<String> inSandbox() {
        String relative = name.replaceFirst("^(?:\\./|/data/)", "");
        String own = folder.target().substring(folder.target().lastIndexOf('/') + 1);
        return relative.equals(own)
                ? Optional.of(folder.target())
                : Stream.of(relative.startsWith(own + "/") ? relative.substring(own.length() + 1) : "", relative)
                        .filter(ScriptText::isPlain)
                        .filter(this::exists)
                        .map(each -> folder.target() + "/" + each)
                        .filter(each -> !each.equals(name))
                        .findFirst();
    }

    /** Says nothing of what is outside of the folder, where a link in a writable folder may point to. */
    private boolean exists(String relative) {
        try {
            Path root = folder.path().toRealPath();
            return root.resolve(relative).toRealPath().startsWith(root);
        } catch (IOException | InvalidPathException e) {
            return false;
        }
    }
}
