package dev.pysandbox.sandbox;

import java.io.File;
import java.nio.file.Path;

/**
 * Files that a job sees at a path inside its sandbox.
 *
 * <p>The files are on the server's machine. A backend on the same machine mounts them; a backend on another machine
 * copies them. The type of the volume says when and in which direction.
 */
public sealed interface Volume {
    /** Returns the folder or file on the server's machine. */
    Path source();

    /** Returns the path inside the sandbox. */
    Path target();

    boolean writable();

    /**
     * Read-only files of the server, such as an environment. Another machine can cache a copy.
     *
     * @param key identifies the content: two volumes with the same key have the same files
     */
    record Content(String key, Path source, Path target) implements Volume {
        public Content {
            requireAbsolute(source, target);
        }

        public static Content of(String key, Path source, String target) {
            return new Content(key, source, Path.of(target));
        }

        /** Returns a volume of one file, identified by its path, size and modification time. */
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
     * A writable folder of the server. When the process has ended, the server reads the result from it.
     *
     * @param result the folder below the source that the server reads, or an empty path for the whole source; the rest
     *     is a cache, which a backend on another machine need not copy in either direction
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

    /** A folder or file of the user. A backend on another machine does not support it. */
    record HostFolder(Path source, Path target, boolean writable) implements Volume {
        public HostFolder {
            requireAbsolute(source, target);
        }
    }

    private static void requireAbsolute(Path source, Path target) {
        if (!source.isAbsolute() || !target.isAbsolute()) {
            throw new IllegalArgumentException("the paths of a volume must be absolute: " + source + " at " + target);
        }
    }
}
