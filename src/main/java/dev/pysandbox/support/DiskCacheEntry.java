package dev.pysandbox.support;

import java.io.IOException;
import java.io.Reader;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.UUID;
import java.util.stream.Collectors;

/** A small file of names and values that caches the result of a search; losing it costs only time. */
public record DiskCacheEntry(Path file) {
    /** The name of the value that says when an entry expires, in milliseconds since 1970. */
    public static final String EXPIRES = "expires";

    private static final String WRITTEN = "written";

    /** Returns the entry of a subject, such as a path or URL, in the host's cache folder. */
    public static DiskCacheEntry about(String kind, String subject, Host host) {
        UUID name = UUID.nameUUIDFromBytes(subject.getBytes(StandardCharsets.UTF_8));
        return named(kind + "-" + name, host);
    }

    /** Returns the entry of that name in a host's cache folder. */
    public static DiskCacheEntry named(String name, Host host) {
        return new DiskCacheEntry(CacheFolder.KNOWN.in(host.cacheDir()).resolve(name + ".properties"));
    }

    /** Returns a text that changes when the file changes; empty if there is no file. */
    public static String stamp(Path file) {
        try {
            return Files.size(file) + " " + Files.getLastModifiedTime(file).toMillis();
        } catch (IOException e) {
            return "";
        }
    }

    /** Returns the cached values, if they exist and have not expired. */
    public Optional<Map<String, String>> recall() {
        Properties properties = new Properties();
        try (Reader reader = Files.newBufferedReader(file)) {
            properties.load(reader);
            long now = Instant.now().toEpochMilli();
            // An entry from the future, written while the clock was wrong, would expire too late.
            if (now < number(properties, WRITTEN) || now >= number(properties, EXPIRES)) {
                return Optional.empty();
            }
            return Optional.of(properties.stringPropertyNames().stream()
                    .collect(Collectors.toMap(name -> name, properties::getProperty)));
        } catch (IOException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static long number(Properties properties, String name) {
        return Long.parseLong(properties.getProperty(name, "0"));
    }

    /** Writes the values atomically; ignores a folder that is not writable. */
    public void remember(Map<String, String> values, Duration age) {
        Properties properties = new Properties();
        properties.putAll(values);
        Instant now = Instant.now();
        properties.setProperty(WRITTEN, Long.toString(now.toEpochMilli()));
        properties.setProperty(EXPIRES, Long.toString(now.plus(age).toEpochMilli()));
        try {
            Path folder = Files.createDirectories(file.toAbsolutePath().resolveSibling(""));
            Path partial = Files.createTempFile(folder, "memo", ".part");
            try {
                try (Writer writer = Files.newBufferedWriter(partial)) {
                    properties.store(writer, null);
                }
                Files.move(partial, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            } finally {
                Files.deleteIfExists(partial);
            }
        } catch (IOException e) {
            // The next call searches again.
        }
    }
}
