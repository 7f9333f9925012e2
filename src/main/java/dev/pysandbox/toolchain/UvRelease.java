package dev.pysandbox.toolchain;

import dev.pysandbox.support.BundledFile;
import dev.pysandbox.support.Platform;
import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.Properties;

/** The wheel of uv for a platform, with its hash. */
record UvRelease(String version, String wheel, long size, String sha256) {
    /** Returns the pinned release; empty if there is none for the platform. */
    static Optional<UvRelease> pinned(Platform platform) {
        Properties properties = properties();
        return Optional.ofNullable(properties.getProperty(platform + ".wheel"))
                .map(wheel -> new UvRelease(
                        properties.getProperty("version"),
                        wheel,
                        Long.parseLong(properties.getProperty(platform + ".size")),
                        properties.getProperty(platform + ".sha256")));
    }

    static String pinnedVersion() {
        return properties().getProperty("version");
    }

    private static Properties properties() {
        Properties properties = new Properties();
        try {
            properties.load(new StringReader(BundledFile.text(UvRelease.class, "uv.properties")));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return properties;
    }
}
