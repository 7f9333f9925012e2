package dev.pysandbox.toolchain;

import dev.pysandbox.support.CacheFolder;
import dev.pysandbox.support.DiskCacheEntry;
import dev.pysandbox.support.Host;
import dev.pysandbox.support.Sha256;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Remembers for a few minutes that a download failed, so that each call does not wait for the same timeout. Other
 * settings start a new attempt.
 *
 * @param settings a hash of everything that the attempt depends on; it may contain credentials
 */
record FailedDownload(DiskCacheEntry entry, String settings) {
    /** Short, because the user may repair the network meanwhile. */
    static final Duration RETRY_AFTER = Duration.ofMinutes(3);

    private static final String PREFIX = "failed-";

    static FailedDownload of(String name, Map<String, String> settings, Host host) {
        String text = new TreeMap<>(settings).toString();
        return new FailedDownload(
                DiskCacheEntry.named(PREFIX + name, host), Sha256.of(text.getBytes(StandardCharsets.UTF_8)));
    }

    /** Returns why the last attempt failed and when the next one is made, unless it is due now. */
    Optional<String> recall() {
        return entry.recall()
                .filter(values -> settings.equals(values.get("settings")))
                .map(values -> values.getOrDefault("reason", "") + "; remembered, tried again after "
                        + Instant.ofEpochMilli(Long.parseLong(values.getOrDefault(DiskCacheEntry.EXPIRES, "0")))
                                .truncatedTo(ChronoUnit.SECONDS)
                        + "; to try now, run: java -jar sandbox.jar warm");
    }

    void remember(String reason) {
        entry.remember(Map.of("settings", settings, "reason", reason), RETRY_AFTER);
    }

    /** Makes the next attempt of every download due now. */
    static void forgetAll(Host host) {
        Path folder = CacheFolder.KNOWN.in(host.cacheDir());
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder, PREFIX + "*")) {
            for (Path each : entries) {
                Files.deleteIfExists(each);
            }
        } catch (IOException e) {
            // Nothing was remembered.
        }
    }
}
