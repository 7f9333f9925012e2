package dev.pysandbox.environment;

import dev.pysandbox.support.CacheFolder;
import dev.pysandbox.support.Folders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;

/**
 * A file whose existence marks an environment as compiled. It is outside the environment, so that no package can create
 * it.
 */
record CompiledMark(Path file) {
    /** Returns the mark of an environment in the cache folder, which need not exist. */
    static CompiledMark of(Path place) {
        Path cacheDir = place.toAbsolutePath().resolveSibling("").resolveSibling("");
        return new CompiledMark(CacheFolder.KNOWN.in(cacheDir).resolve("compiled-" + place.getFileName()));
    }

    boolean isSet() {
        return Files.exists(file, LinkOption.NOFOLLOW_LINKS);
    }

    void set() throws IOException {
        Folders.createPrivate(file.resolveSibling(""));
        if (!isSet()) {
            Files.createFile(file);
        }
    }

    void remove() throws IOException {
        Files.deleteIfExists(file);
    }
}
