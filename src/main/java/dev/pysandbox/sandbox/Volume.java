package dev.pysandbox.sandbox;

import java.io.File;
import java.nio.file.Path;

/**
 * Files that a job sees at a path inside its sandbox.
 *
 * <p>The server has all of them in a folder of its own machine. A backend on the same machine mounts that folder; one on
 * another machine copies it there, and the type says when and in which direction.
 */
public sealed interface Volume {
    /** The folder or file on the server's machine. */
    Path source();

    /** Where the job sees it. */
    Path target();

    boolean writable();

    /**
     * Read-only files that the server made, such as an environment. Another machine can keep a copy.
     *
     * @param key identifies the content: as long as the key is the same, so are the files
     */
    record Content(String key, Path source, Path target) implements Volume {
        public Content {
            requireAbsolute(source, target);
        }

        public static Content of(String key, Path source, String target) {
            return new Content(key, source, Path.of(target));
        }

        /** Returns one file, identified by its path, size and modification time. */
        public static Content ofFile(Path file, String target) {
            File facts = file.toFile();
            return of(file + " " + facts.length() + " " + facts.lastModified(), file, target);
        }

        @Override
        public boolean writable() {
            return false;
        }
    }

    /**
     * A folder of the server that the job works in. When the process has ended, the server reads the result from it.
     *
     * @param result the folder below the source that the server reads, or an empty path for all of it; the rest is a
     *     cache, which another machine may keep for itself or lack
     */
    record Workspace(Path source, Path target, Path result) implements Volume {
        public Workspace {
            requireAbsolute(source, target);
        }

        @Override
        public boolean writable() {
            return true;
        }
    }

    /** A folder or file of the user. Only a backend with {@link Capabilities#sharesHostFiles} has it. */
    record HostFolder(Path source, Path target, boolean writable) implements Volume {
        public HostFolder {
            requireAbsolute(source, target);
        }
    }

    private static void requireAbsolute(Path source, Path target) {
        if (!source.isAbsolute() || !target.isAbsolute()) {
            throw new IllegalArgumentException("a volume needs absolute paths: " + source + " at " + target);
        }
    }
}
