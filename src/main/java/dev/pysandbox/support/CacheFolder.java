package dev.pysandbox.support;

import java.nio.file.Path;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The folders below {@code --cache-dir}. */
public enum CacheFolder {
    /** Releases of uv that were fetched. */
    UV,
    /** Pythons that uv downloaded. */
    PYTHONS,
    /** uv's cache and the staging folders of installations. */
    INSTALL,
    /** The caches of builds. */
    BUILDS,
    ENVIRONMENTS,
    LOCKS,
    /** The archives of classes with which a JVM starts faster. */
    ARCHIVES,
    /** Results of earlier searches, each a {@link DiskCacheEntry}. */
    KNOWN;

    public static Set<String> names() {
        return Stream.of(values()).map(CacheFolder::toString).collect(Collectors.toUnmodifiableSet());
    }

    public Path in(Path cacheDir) {
        return cacheDir.resolve(toString());
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
