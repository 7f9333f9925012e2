package dev.pysandbox.environment;

import dev.pysandbox.support.CacheFolder;
import dev.pysandbox.support.Folders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;

/** A file that says of an environment that it is compiled; outside of it, where no package can put anything. */
record CompiledMark(Path file) {
    /** The mark of an environment that is, was or will be at a place below the cache folder. */
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
