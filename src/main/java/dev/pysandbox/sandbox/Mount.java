package dev.pysandbox.sandbox;

import java.nio.file.Path;

/** A folder or file of the host, and where the sandboxed process is to find it. */
public record Mount(Path source, Path target, boolean writable) {
    public Mount {
        if (!source.isAbsolute() || !target.isAbsolute()) {
            throw new IllegalArgumentException("a mount needs absolute paths: " + source + " at " + target);
        }
    }

    public static Mount readOnly(Path source, String target) {
        return new Mount(source, Path.of(target), false);
    }

    public static Mount writable(Path source, String target) {
        return new Mount(source, Path.of(target), true);
    }
}
